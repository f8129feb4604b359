package slices_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// TestReasonsAreExact changes every count and every reason of good plans, one by one. Each change must be noticed.
func TestReasonsAreExact(t *testing.T) {
	hinted := endpoint(2)
	hinted.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z1"}}}
	twice := world(3, wants{80: {1, 2, 3}}, slice("a", "1", endpoint(1), endpoint(1), hinted))
	for name, in := range map[string]given.World{
		"story":                     story(),
		"a hint beside a duplicate": twice,
		"surplus":                   world(2, wants{80: {1, 2, 3, 4}}, at("a", "1", 80, 1, 2, 3, 50)),
		"other ports":               world(2, wants{81: {1, 2, 3, 4}}, at("a", "1", 80, 1, 2, 3, 50), at("b", "2", 82, 9)),
		"idle":                      world(2, wants{80: {1}, 81: {2}}, at("a", "1", 80, 1), at("b", "0", 80, 1)),
		"nothing wanted":            world(2, wants{}, at("a", "1", 80, 1), at("b", "2", 80, 2)),
	} {
		p := plan(t, in)
		if err := check.Plan(in, p); err != nil || len(p.Steps) == 0 {
			t.Fatalf("%s: the plan is good: %v", name, err)
		}
		for i := range p.Steps {
			s := &p.Steps[i]
			for _, c := range []*int{&s.Added, &s.Removed, &s.Changed} {
				for _, by := range []int{1, -1} {
					*c += by
					if !check.Breaks(check.Plan(in, p), "Plan") {
						t.Errorf("%s: step %d may count +%d -%d ~%d", name, i, s.Added, s.Removed, s.Changed)
					}
					*c -= by
				}
			}
			good := s.Reasons
			for _, r := range given.Reasons {
				if s.Reasons = slices.DeleteFunc(slices.Clone(good), func(have slicer.Reason) bool { return have == r }); len(s.Reasons) == len(good) {
					s.Reasons = append(s.Reasons, r)
					slices.SortFunc(s.Reasons, func(a, b slicer.Reason) int { return slices.Index(given.Reasons, a) - slices.Index(given.Reasons, b) })
				}
				if !check.Breaks(check.Plan(in, p), "Plan") {
					t.Errorf("%s: step %d may say %v instead of %v", name, i, s.Reasons, good)
				}
			}
			s.Reasons = good
		}
	}
}
