package dedup

import (
	"fmt"
	"slices"
	"strings"
)

// nameOf returns the name of an enum's value, and its type and number if it has none.
func nameOf(names []string, kind string, value uint8) string {
	if int(value) < len(names) {
		return names[value]
	}
	return fmt.Sprintf("%s(%d)", kind, value)
}

func textOf(names []string, kind string, value uint8) ([]byte, error) {
	if int(value) >= len(names) {
		return nil, fmt.Errorf("dedup: %s has no value %d", kind, value)
	}
	return []byte(names[value]), nil
}

func valueOf(names []string, kind string, text []byte, value *uint8) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("dedup: %s %q: use one of %s", kind, text, strings.Join(names, ", "))
	}
	*value = uint8(i)
	return nil
}
