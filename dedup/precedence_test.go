package dedup

import (
	"slices"
	"strconv"
	"testing"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
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
			shape: &shape{merit: merit(rapid.IntRange(0, 7).Draw(t, "merit")), source: sources[from], zone: rapid.SampledFrom([]string{"", "z"}).Draw(t, "zone"), kind: rapid.SampledFrom([]string{"", "Pod"}).Draw(t, "kind")},
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

func sameRecord(a, b *record) bool {
	return a.merit() == b.merit() && a.source() == b.source() && differ(a, b) == 0
}

// TestTotalOrders: the two rounds of D2 are total orders: antisymmetric, transitive, and equal only for equal records.
func TestTotalOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCandidates(t, 3)
		for name, compare := range map[string]func(a, b candidate) int{
			"first": compareFirst[candidate], "second": compareUse[candidate], "both": compareClaims[candidate],
		} {
			for _, a := range c {
				for _, b := range c {
					if compare(a, b) != -compare(b, a) {
						t.Fatalf("%s: antisymmetric: %v %v", name, *a.record, *b.record)
					}
					if compare(a, b) == 0 && !sameRecord(a.record, b.record) {
						t.Fatalf("%s: equal: %v %v", name, *a.record, *b.record)
					}
				}
			}
			if compare(c[0], c[1]) <= 0 && compare(c[1], c[2]) <= 0 && compare(c[0], c[2]) > 0 {
				t.Fatalf("%s: transitive: %v %v %v", name, *c[0].record, *c[1].record, *c[2].record)
			}
		}
	})
}

// TestOnePairwiseRuleIsCyclic shows why D2 has two rounds: newest among equal targets, most useful among others, applied
// to pairs, goes round in circles.
func TestOnePairwiseRuleIsCyclic(t *testing.T) {
	old, now := &age{}, &age{version: "1"}
	of := func(m merit, slice string) *shape {
		return &shape{merit: m, kind: "Pod", source: &source{slice: slice}}
	}
	a := candidate{age: old, record: &record{uid: "u1", shape: of(lasting|ready, "a")}}
	b := candidate{age: old, record: &record{uid: "u2", shape: of(lasting|serving, "b")}}
	c := candidate{age: now, record: &record{uid: "u1", shape: of(serving, "c")}}
	beats := func(x, y candidate) bool {
		if sameTarget(x, y) {
			return compareFirst(x, y) < 0
		}
		return compareUse(x, y) < 0
	}
	if !beats(a, b) || !beats(b, c) || !beats(c, a) {
		t.Fatal("want a over b over c over a")
	}
	for _, order := range [][]candidate{{a, b, c}, {c, b, a}, {b, a, c}} {
		all := slices.Clone(order)
		if got := all[decide(all)]; got.record != b.record {
			t.Errorf("%s wins; want b: u1 moved to c, where it terminates", got.record.source().slice)
		}
	}
}

// TestDecideForgetsOrder: the same claim wins in every order.
func TestDecideForgetsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawCandidates(t, rapid.IntRange(1, 6).Draw(t, "candidates"))
		shuffled := rapid.Permutation(list).Draw(t, "order")
		one, other := slices.Clone(list), slices.Clone(shuffled)
		if x, y := one[decide(one)], other[decide(other)]; !sameRecord(x.record, y.record) {
			t.Fatalf("%v wins, then %v", *x.record, *y.record)
		}
	})
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
