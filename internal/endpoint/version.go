package endpoint

import (
	"cmp"
	"strings"
)

// CompareVersions orders the resourceVersions of two objects of one API server: it is negative if a is older. Numbers of
// any length are in the order of their values (KEP-5504). A text that is no decimal number, such as the empty one, is
// older than any number and as old as any other such text.
func CompareVersions(a, b string) int {
	a, b = VersionNumber(a), VersionNumber(b)
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// VersionNumber returns a resourceVersion without leading zeros, and "" for one that is no decimal number.
func VersionNumber(version string) string {
	for i := range len(version) {
		if version[i]-'0' > 9 {
			return ""
		}
	}
	if number := strings.TrimLeft(version, "0"); number != "" || version == "" {
		return number
	}
	return "0"
}
