package dedup

import (
	"strconv"
	"testing"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

func drawCandidates(t *rapid.T, n int) []candidate {
	sources := []*source{{slice: "a"}, {slice: "b"}, {slice: "c"}}
	for _, s := range sources {
		s.age = drawAge(t)
	}
	list := make([]candidate, n)
	for i := range list {
		from := rapid.IntRange(0, len(sources)-1).Draw(t, "slice")
		r := &record{
			uid:   rapid.SampledFrom([]types.UID{"", "", "u1", "u2"}).Draw(t, "uid"),
			name:  rapid.SampledFrom([]string{"", "p1", "p2"}).Draw(t, "name"),
			shape: &shape{usability: decide.Usability(rapid.IntRange(0, 7).Draw(t, "usability")), source: sources[from], zone: rapid.SampledFrom([]string{"", "z"}).Draw(t, "zone"), kind: rapid.SampledFrom([]string{"", "Pod"}).Draw(t, "kind")},
		}
		if rapid.Bool().Draw(t, "hinted") {
			r.more = &more{nodes: []discoveryv1.ForNode{{Name: "n"}}}
		}
		list[i] = candidate{record: r, age: sources[from].age}
	}
	return list
}

func drawAge(t *rapid.T) *age {
	switch n := rapid.IntRange(0, 4).Draw(t, "age"); n {
	case 0:
		return &age{}
	case 1, 2:
		return &age{time: time.Date(2026, 11, 20, n, 0, 0, 0, time.UTC)}
	default:
		return &age{version: strconv.Itoa(n * 3)}
	}
}

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
		a, b := ageOf(row.older), ageOf(row.newer)
		if a.compare(b) >= 0 || b.compare(a) <= 0 {
			t.Errorf("%s: %v is not older than %v", row.why, a, b)
		}
	}
	if a, b := ageOf(slice("never", "x")), ageOf(slice("", "")); a.compare(b) != 0 {
		t.Error("two slices without a time are not equally old")
	}
}
