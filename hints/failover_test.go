package hints_test

import (
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
)

// TestFailoverAgreesWithRoute: for every policy the first tier is what Route chooses; tiers are disjoint, in order and in the
// order of the input; and together they are what the policy allows. It draws often, because node hints are seldom obeyed.
func TestFailoverAgreesWithRoute(t *testing.T) {
	for range 20 {
		rapid.Check(t, failoverAgrees)
	}
}

// FuzzFailover is TestFailoverAgreesWithRoute for go test -fuzz.
func FuzzFailover(f *testing.F) { f.Fuzz(rapid.MakeFuzz(failoverAgrees)) }

func failoverAgrees(t *rapid.T) {
	candidates, at, policy := drawRoute(t)
	if err := checkTiers(candidates, at, policy); err != nil {
		t.Fatal(err)
	}
}

func checkTiers(candidates []hints.Candidate, at hints.Location, policy hints.Policy) error {
	list := make([]int, len(candidates))
	for i := range list {
		list[i] = i
	}
	candidate := func(i int) hints.Candidate { return candidates[i] }
	routes := hints.Route(list, candidate, at, policy)
	tiers := hints.Failover(list, candidate, at, policy)

	wholly := routes.Cluster
	if policy.InternalLocal {
		wholly = routes.Local
	}
	if policy.AnyFamily {
		candidates = slices.Clone(candidates)
		for i := range candidates {
			candidates[i].AddressType = ""
		}
	}
	scopes := map[discoveryv1.AddressType]hints.Scope{}
	var first []int
	for _, f := range routes.Families {
		some := keep(wholly, func(e int) bool { return candidates[e].AddressType == f.AddressType })
		of := slices.DeleteFunc(slices.Clone(tiers), func(t hints.Tier[int]) bool { return t.AddressType != f.AddressType })
		scope := f.Scope
		if policy.InternalLocal {
			if scope = hints.ScopeNode; f.LocalDraining {
				scope = hints.ScopeDraining
			}
		}
		scopes[f.AddressType] = scope
		if len(some) == 0 {
			if len(of) > 0 {
				return fmt.Errorf("tiers %v, and Route chooses nothing of %q", tiers, f.AddressType)
			}
			continue
		}
		for _, tier := range of {
			far := f.ZoneHints
			if near := of[0].Scope == hints.ScopeNode || of[0].Scope == hints.ScopeZone; near {
				far = ""
			}
			if tier.NotNear != far && !policy.InternalLocal || policy.InternalLocal && tier.NotNear != "" {
				return fmt.Errorf("tier %+v, and Route says %v", tier, f)
			}
		}
		if len(of) == 0 || of[0].Scope != scope || !slices.Equal(of[0].Endpoints, some) {
			return fmt.Errorf("tiers %v, and Route chooses %v, %v of %q", tiers, scope, some, f.AddressType)
		}
		first = append(first, of[0].Endpoints...)
	}
	if slices.Sort(first); !slices.Equal(first, wholly) {
		return fmt.Errorf("the first tiers are %v, and Route chooses %v", first, wholly)
	}
	var got []int
	for i, tier := range tiers {
		if i > 0 && !mayFollow(tiers[i-1], tier) || len(tier.Endpoints) == 0 || !slices.IsSorted(tier.Endpoints) {
			return fmt.Errorf("tiers %v are not in order", tiers)
		}
		for _, e := range tier.Endpoints {
			if candidates[e].AddressType != tier.AddressType {
				return fmt.Errorf("endpoint %d, %+v, is in a tier of %q", e, candidates[e], tier.AddressType)
			}
			if want := tierByHand(candidates[e], at, policy, scopes[tier.AddressType]); want != tier.Scope {
				return fmt.Errorf("endpoint %d, %+v, is in tier %v, want %v", e, candidates[e], tier.Scope, want)
			}
		}
		got = append(got, tier.Endpoints...)
		for k := range tier.Endpoints { // the caller may change it
			tier.Endpoints[k] = -1
		}
		if cap(tier.Endpoints) != len(tier.Endpoints) {
			return fmt.Errorf("appending to tier %v writes into the next", tier.Scope)
		}
	}
	slices.Sort(got)
	want := keep(list, func(e int) bool {
		s, here := candidates[e].State, at.NodeName != "" && candidates[e].NodeName == at.NodeName
		return (s.Ready || s.ServesWhileTerminating()) && (here || !policy.InternalLocal)
	})
	if !slices.Equal(got, want) {
		return fmt.Errorf("the tiers hold %v, want %v", got, want)
	}
	return nil
}

// mayFollow reports whether tier b may come after tier a.
func mayFollow(a, b hints.Tier[int]) bool {
	order := []hints.Scope{hints.ScopeNode, hints.ScopeZone, hints.ScopeAll, hints.ScopeDraining}
	if a.AddressType != b.AddressType {
		return a.AddressType < b.AddressType
	}
	return slices.Index(order, a.Scope) < slices.Index(order, b.Scope)
}

// tierByHand is the table in the comment of Failover, read from top to bottom; first is the scope of the first tier.
func tierByHand(c hints.Candidate, at hints.Location, policy hints.Policy, first hints.Scope) hints.Scope {
	hintedZone := slices.Contains(c.ForZones, discoveryv1.ForZone{Name: at.Zone})
	if policy.PreferZone {
		hintedZone = c.Zone == at.Zone
	}
	switch {
	case !c.State.Ready:
		return hints.ScopeDraining
	case policy.InternalLocal:
		return hints.ScopeNode
	case first == hints.ScopeNode && slices.Contains(c.ForNodes, discoveryv1.ForNode{Name: at.NodeName}):
		return hints.ScopeNode
	case first == hints.ScopeNode && at.Zone != "" && (hintedZone || len(c.ForZones) == 0 && c.Zone == at.Zone):
		return hints.ScopeZone
	case first == hints.ScopeZone && hintedZone:
		return hints.ScopeZone
	default:
		return hints.ScopeAll
	}
}
