package slices_test

import (
	"errors"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// TestChecksFindBrokenPlans breaks a good plan in many ways. Each must be noticed, and be blamed on
// the guarantee that it breaks.
func TestChecksFindBrokenPlans(t *testing.T) {
	in := everything()
	if err := check.Plan(in, plan(t, in)); err != nil {
		t.Fatalf("the plan is good: %v", err)
	}
	for _, c := range corruptions {
		t.Run(c.guarantee+" "+c.why, func(t *testing.T) {
			in := everything()
			p := plan(t, in)
			c.corrupt(&in, &p)
			if err := check.Plan(in, p); !check.Breaks(err, c.guarantee) {
				t.Errorf("not noticed: %v", err)
			}
		})
	}
}

var corruptions = []struct {
	guarantee, why string
	corrupt        func(in *given.World, p *slicer.Plan)
}{
	{"G1", "an endpoint that is wanted is nowhere", func(_ *given.World, p *slicer.Plan) {
		n := update(p, "full").New
		n.Endpoints = n.Endpoints[:1]
	}},
	{"G1", "an endpoint is in two slices", func(_ *given.World, p *slicer.Plan) {
		n := update(p, "roomy").New
		n.Endpoints = append(n.Endpoints, endpoint(1))
	}},
	{"G1", "an endpoint that nobody wants stays", func(_ *given.World, p *slicer.Plan) {
		n := update(p, "roomy").New
		n.Endpoints = append(n.Endpoints, endpoint(99))
	}},
	{"G1", "a slice of ours is not written although it must", func(in *given.World, p *slicer.Plan) {
		unwrite(p, "full")
	}},
	{"G1", "something is unplaced although the parent lives", func(_ *given.World, p *slicer.Plan) {
		p.Skips = append(p.Skips, slicer.Skip{Reason: slicer.NoRoom, Err: errors.New("full"), AddressType: "IPv4",
			Path: "groups[0].endpoints[0]"})
	}},
	{"G2", "the API server refuses a loopback address", func(_ *given.World, p *slicer.Plan) {
		update(p, "full").New.Endpoints[0].Addresses[0] = "127.0.0.1"
	}},
	{"G2", "a slice is above the maximum", func(in *given.World, p *slicer.Plan) {
		in.Options.MaxEndpointsPerSlice = 1
	}},
	{"G2", "a bad endpoint is not listed", func(_ *given.World, p *slicer.Plan) { p.Skips = nil }},
	{"G2", "a good endpoint is rejected", func(_ *given.World, p *slicer.Plan) {
		s := rejected(p)[0]
		s.Path = "groups[0].endpoints[0].addresses[0]"
		p.Skips = append(p.Skips, s)
	}},
	{"G2", "a rejection has the wrong reason", func(_ *given.World, p *slicer.Plan) { rejected(p)[0].Reason = slicer.InvalidNodeName }},
	{"G3", "deprecatedTopology is written", func(_ *given.World, p *slicer.Plan) {
		update(p, "full").New.Endpoints[0].DeprecatedTopology = map[string]string{"a": "b"}
	}},
	{"G4", "a clean slice is written", func(in *given.World, p *slicer.Plan) {
		i := slices.IndexFunc(p.Unchanged, func(s *discoveryv1.EndpointSlice) bool { return s.Name == "clean" })
		s := p.Unchanged[i]
		p.Unchanged = slices.Delete(p.Unchanged, i, i+1)
		at := slices.IndexFunc(p.Steps, func(s slicer.Step) bool { return s.Verb == slicer.Delete })
		step := slicer.Step{Verb: slicer.Update, Old: s, New: s.DeepCopy(),
			Reasons: []slicer.Reason{slicer.HintsChanged}}
		p.Steps = slices.Insert(p.Steps, at, step)
	}},
	{"G5", "an endpoint leaves its home", func(_ *given.World, p *slicer.Plan) {
		a, b := update(p, "full").New, update(p, "roomy").New
		a.Endpoints[0], b.Endpoints[0] = b.Endpoints[0], a.Endpoints[0]
		order(a, b)
	}},
	{"G6", "an update comes before a create", func(_ *given.World, p *slicer.Plan) {
		p.Steps[0], p.Steps[1] = p.Steps[1], p.Steps[0]
	}},
	{"G7", "new endpoints are in no order", func(_ *given.World, p *slicer.Plan) {
		slices.Reverse(update(p, "full").New.Endpoints)
	}},
	{"G9", "a foreign slice is deleted", func(_ *given.World, p *slicer.Plan) {
		f := p.Ignored[slices.IndexFunc(p.Ignored, func(i slicer.Ignored) bool {
			return i.Reason == slicer.Foreign
		})].Slice
		p.Steps = append(p.Steps, slicer.Step{Verb: slicer.Delete, Old: f,
			Reasons: []slicer.Reason{slicer.NothingLeft}})
	}},
	{"G9", "a stale slice stays", func(_ *given.World, p *slicer.Plan) {
		p.Steps = slices.DeleteFunc(p.Steps, func(s slicer.Step) bool { return s.Old != nil && s.Old.Name == "stale" })
	}},
	{"G9", "no warning says that a slice has our labels and another owner", func(_ *given.World, p *slicer.Plan) {
		p.Skips = slices.DeleteFunc(p.Skips, func(s slicer.Skip) bool { return s.Reason == slicer.OtherOwner })
	}},
	{"G10", "an update drops the resourceVersion", func(_ *given.World, p *slicer.Plan) { update(p, "full").New.ResourceVersion = "" }},
	{"G10", "an update has a trigger time although nothing is news", func(_ *given.World, p *slicer.Plan) {
		update(p, "full").New.Annotations["endpoints.kubernetes.io/last-change-trigger-time"] = "2026-01-01T00:00:00Z"
	}},
	{"G10", "an update keeps a foreign label", func(_ *given.World, p *slicer.Plan) { update(p, "full").New.Labels["foreign"] = "label" }},
	{"G10", "wrong labels are left alone", func(in *given.World, _ *slicer.Plan) { in.Set.Labels = map[string]string{"app": "new"} }},
	{"G13", "a type without endpoints has no placeholder", func(_ *given.World, p *slicer.Plan) {
		p.Steps = slices.DeleteFunc(p.Steps, func(s slicer.Step) bool {
			return s.Verb == slicer.Create && len(s.New.Endpoints) == 0
		})
	}},
	{"Plan", "there is no decision about hints", func(_ *given.World, p *slicer.Plan) { p.Hints = nil }},
	{"Plan", "a slice is written twice", func(_ *given.World, p *slicer.Plan) { p.Steps = append(p.Steps, p.Steps[len(p.Steps)-1]) }},
}

// rejected are the Skips of a plan from that of its bad endpoint on.
func rejected(p *slicer.Plan) []slicer.Skip {
	return p.Skips[slices.IndexFunc(p.Skips, func(s slicer.Skip) bool { return s.Reason == slicer.InvalidAddress }):]
}

// everything is a Service on port 80 with at most 2 endpoints per slice, in which everything
// happens at once: full loses a condition to a change, roomy takes a new endpoint, the clean ones
// stay, gone has nothing left, stale is an earlier Service's, one slice is another manager's, one
// has another owner and one is being deleted; there is no IPv6 endpoint, and one endpoint is bad.
func everything() given.World {
	in := given.World{Input: slicer.Input{
		Set: slicer.Set{
			Namespace: "ns", Name: "web", ManagedBy: "test", Owners: []metav1.OwnerReference{owner("now")},
			AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6},
		},
		Groups:  []slicer.Group{{Ports: ports(80)}},
		Hints:   hints.Options{Mode: hints.None},
		Options: slicer.Options{MaxEndpointsPerSlice: 2, GeneratedNames: true},
	}}
	for i := 1; i <= 8; i++ {
		in.Groups[0].Endpoints = append(in.Groups[0].Endpoints, endpoint(i))
	}
	bad := endpoint(9)
	bad.Addresses[0] = "127.0.0.1"
	in.Groups[0].Endpoints = append(in.Groups[0].Endpoints, bad)

	full := slice("full", "10", endpoint(1), endpoint(2))
	*full.Endpoints[1].Conditions.Ready = false
	full.Annotations = map[string]string{"foreign": "annotation"}
	full.Finalizers = []string{"example.com/keep"}
	stale := slice("stale", "14", endpoint(6))
	stale.OwnerReferences = []metav1.OwnerReference{owner("before")}
	claimed := slice("claimed", "18", endpoint(5))
	claimed.OwnerReferences = []metav1.OwnerReference{{Kind: owner("").Kind, Name: "other", UID: "o1",
		Controller: &[]bool{true}[0]}}
	foreign := slice("foreign", "15", endpoint(5))
	foreign.Labels[discoveryv1.LabelManagedBy] = "other"
	dying := slice("dying", "16", endpoint(5))
	dying.DeletionTimestamp, dying.Finalizers = &metav1.Time{}, []string{"example.com/wait"}
	in.Existing = []*discoveryv1.EndpointSlice{
		full, slice("roomy", "11", endpoint(3), endpoint(50)), slice("clean", "12", endpoint(4), endpoint(5)),
		slice("gone", "13", endpoint(51)), stale, claimed, foreign, dying,
		slice("clean-2", "17", endpoint(7), endpoint(8)),
	}
	return in
}

// TestChecksFindOtherPackings judges plans made under other options, each good under its own, by
// Compact's rules.
func TestChecksFindOtherPackings(t *testing.T) {
	under := func(in given.World, o slicer.Options) given.World {
		o.MaxEndpointsPerSlice = in.Options.MaxEndpointsPerSlice
		in.Options = o
		return in
	}
	compact := slicer.Options{Packing: slicer.Compact}
	dirty := world(4, wants{80: {1, 2, 3}}, at("a", "1", 80, 1, 2, 50), at("b", "2", 80, 3, 51))
	for _, c := range []struct {
		why         string
		in          given.World
		made, asked slicer.Options
		corrupt     func(p *slicer.Plan)
	}{
		{"a slice gives one endpoint to another that is written, and stays", dirty, slicer.Options{}, compact,
			func(p *slicer.Plan) { give(p, "a", "b", 2) }},
		{"a slice gives up its endpoints that need not be written",
			world(4, wants{80: {1, 2}}, at("a", "1", 80, 1, 50), at("b", "2", 80, 2)),
			compact, compact, func(p *slicer.Plan) {
				a, b := update(p, "a"), p.Unchanged[0]
				a.New.Endpoints = append(a.New.Endpoints, *b.Endpoints[0].DeepCopy())
				p.Unchanged = nil
				p.Steps = append(p.Steps, slicer.Step{
					Verb: slicer.Delete, Old: b, Removed: 1,
					Reasons: []slicer.Reason{slicer.Dissolved, slicer.Compacted},
				})
			}},
		{"a slice dissolves that is too full", dirty, compact, slicer.Options{Packing: slicer.Compact, DissolveUpTo: 24}, nil},
	} {
		p := plan(t, under(c.in, c.made))
		if err := check.Plan(under(c.in, c.made), p); err != nil {
			t.Fatalf("%s: the plan is good: %v", c.why, err)
		}
		if c.corrupt != nil {
			c.corrupt(&p)
		}
		if err := check.Plan(under(c.in, c.asked), p); !check.Breaks(err, "Compact") {
			t.Errorf("%s: not noticed: %v", c.why, err)
		}
	}
}

// TestReasonsAreExact changes every count and every reason of good plans, one by one. Each change
// must be noticed.
func TestReasonsAreExact(t *testing.T) {
	hinted := endpoint(2)
	hinted.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z1"}}}
	twice := world(3, wants{80: {1, 2, 3}}, slice("a", "1", endpoint(1), endpoint(1), hinted))
	for name, in := range map[string]given.World{
		"everything":                everything(),
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
				if s.Reasons = slices.DeleteFunc(slices.Clone(good),
					func(have slicer.Reason) bool { return have == r }); len(s.Reasons) == len(good) {
					s.Reasons = append(s.Reasons, r)
					slices.SortFunc(s.Reasons, func(a, b slicer.Reason) int {
						return slices.Index(given.Reasons, a) - slices.Index(given.Reasons, b)
					})
				}
				if !check.Breaks(check.Plan(in, p), "Plan") {
					t.Errorf("%s: step %d may say %v instead of %v", name, i, s.Reasons, good)
				}
			}
			s.Reasons = good
		}
	}
}
