package content

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
)

func TestAge(t *testing.T) {
	slice := func(trigger, version string) *discoveryv1.EndpointSlice {
		s := &discoveryv1.EndpointSlice{}
		s.ResourceVersion = version
		s.Annotations = map[string]string{"endpoints.kubernetes.io/last-change-trigger-time": trigger}
		return s
	}
	for _, row := range []struct {
		why          string
		older, newer *discoveryv1.EndpointSlice
	}{
		{"a later second", slice("2026-11-20T06:00:00Z", ""), slice("2026-11-20T06:00:01Z", "")},
		{"fractions count", slice("2026-11-20T06:00:00Z", ""), slice("2026-11-20T06:00:00.000000001Z", "")},
		{"a zone is not text", slice("2026-11-20T07:00:00+01:00", ""), slice("2026-11-20T06:00:01Z", "")},
		{"absent is oldest", slice("", ""), slice("1970-01-01T00:00:00Z", "")},
		{"what does not parse is absent", slice("tomorrow", ""), slice("1970-01-01T00:00:00Z", "")},
		{"versions are numbers, not text", slice("", "9"), slice("", "10")},
		{"leading zeros do not count", slice("", "0009"), slice("", "10")},
		{"longer than 64 bits", slice("", "99999999999999999999"), slice("", "100000000000000000000")},
		{"no number is oldest", slice("", "v99"), slice("", "0")},
		{"empty is oldest", slice("", ""), slice("", "0")},
		{"a version is newer than any time", slice("2026-11-20T06:00:00Z", ""), slice("", "1")},
		{"the time of a slice with a version does not count", slice("2026-11-20T06:00:00Z", "1"), slice("", "2")},
		{"without versions times count", slice("2026-11-20T06:00:00Z", "x"), slice("2026-11-20T06:00:01Z", "")},
	} {
		a, b := AgeOf(row.older), AgeOf(row.newer)
		if a.Compare(b) >= 0 || b.Compare(a) <= 0 {
			t.Errorf("%s: %v is not older than %v", row.why, a, b)
		}
	}
	if a, b := AgeOf(slice("never", "x")), AgeOf(slice("", "")); a.Compare(b) != 0 {
		t.Error("two slices without a time are not equally old")
	}
}
