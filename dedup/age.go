package dedup

import (
	"cmp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// age says how new a slice is. The zero value is older than any other.
type age struct {
	time    time.Time
	version string // decimal, without leading zeros
}

func ageOf(slice *discoveryv1.EndpointSlice, by Freshness) age {
	if by == ByResourceVersion {
		return age{version: decimal(slice.ResourceVersion)}
	}
	text := slice.Annotations[corev1.EndpointsLastChangeTriggerTime]
	if text == "" {
		return age{}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return age{}
	}
	return age{time: t}
}

// compare is negative if a is older. The length of decimal numbers without leading zeros counts before their digits.
func (a age) compare(b age) int {
	if a.version != b.version {
		return cmp.Or(cmp.Compare(len(a.version), len(b.version)), strings.Compare(a.version, b.version))
	}
	return a.time.Compare(b.time)
}

// decimal returns a number without leading zeros, and "" for what is no number.
func decimal(s string) string {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return ""
		}
	}
	if t := strings.TrimLeft(s, "0"); t != "" || s == "" {
		return t
	}
	return "0"
}
