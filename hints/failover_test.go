package hints_test

import (
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
)

// TestFailoverAgreesWithRoute: for every policy the first tier is what Route chooses; tiers are disjoint, in order and in the
// order of the input; and together they are what the policy allows.
func TestFailoverAgreesWithRoute(t *testing.T) { rapid.Check(t, failoverAgrees) }

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

// Each row of the table in the comment of Failover.
func TestFailoverTiers(t *testing.T) {
	endpoint := func(node, zone string, forNode, forZone string) hints.Candidate {
		c := hints.Candidate{State: conditions.State{Ready: true, Serving: true}, NodeName: node, Zone: zone}
		if forNode != "" {
			c.ForNodes = []discoveryv1.ForNode{{Name: forNode}}
		}
		if forZone != "" {
			c.ForZones = []discoveryv1.ForZone{{Name: forZone}}
		}
		return c
	}
	draining := endpoint("n2", "a", "", "")
	draining.State = conditions.State{Serving: true, Terminating: true}
	dead := hints.Candidate{NodeName: "n1", Zone: "a"}
	at := hints.Location{NodeName: "n1", Zone: "a"}
	for _, row := range []struct {
		why    string
		list   []hints.Candidate
		policy hints.Policy
		want   string
	}{
		{"node hints: the zone is hinted, or where the endpoint is", []hints.Candidate{
			endpoint("n3", "b", "n3", "b"), draining, endpoint("n2", "b", "n2", "a"), endpoint("n1", "a", "n1", "a"), endpoint("n4", "a", "n4", ""), dead,
		}, hints.Policy{}, "ScopeNode [3] ScopeZone [2 4] ScopeAll [0] ScopeDraining [1]"},
		{"zone hints: where the endpoint is does not count", []hints.Candidate{
			endpoint("n3", "b", "", "b"), endpoint("n1", "a", "", "b"), draining, endpoint("n2", "b", "", "a"),
		}, hints.Policy{}, "ScopeZone [3] ScopeAll [0 1] ScopeDraining [2]"},
		{"no hints: no endpoint is preferred", []hints.Candidate{endpoint("n1", "a", "", ""), draining, endpoint("n2", "b", "", "")},
			hints.Policy{}, "ScopeAll [0 2] ScopeDraining [1]"},
		{"hints are ignored", []hints.Candidate{endpoint("n3", "b", "", "b"), endpoint("n1", "a", "", "a")},
			hints.Policy{IgnoreHints: true}, "ScopeAll [0 1]"},
		{"none is ready", []hints.Candidate{dead, draining}, hints.Policy{}, "ScopeDraining [1]"},
		{"nothing to use", []hints.Candidate{dead}, hints.Policy{}, ""},
		{"local: traffic never leaves the node", []hints.Candidate{
			endpoint("n1", "a", "n2", "b"), endpoint("n2", "a", "n1", "a"), draining,
		}, hints.Policy{InternalLocal: true}, "ScopeNode [0]"},
		{"local: what drains on the node comes last", []hints.Candidate{
			{State: draining.State, NodeName: "n1"}, endpoint("n1", "a", "", ""),
		}, hints.Policy{InternalLocal: true, External: true, ExternalLocal: true}, "ScopeNode [1] ScopeDraining [0]"},
		{"traffic from outside has tiers of its own", []hints.Candidate{endpoint("n2", "b", "", ""), endpoint("n1", "a", "", "")},
			hints.Policy{External: true, ExternalLocal: true}, "ScopeAll [0 1]"},
	} {
		if err := checkTiers(row.list, at, row.policy); err != nil {
			t.Errorf("%s: %v", row.why, err)
		}
		index := make([]int, len(row.list))
		for i := range index {
			index[i] = i
		}
		got := ""
		for _, tier := range hints.Failover(index, func(i int) hints.Candidate { return row.list[i] }, at, row.policy) {
			got += fmt.Sprint(" ", tier.Scope, " ", tier.Endpoints)
		}
		if got != "" {
			got = got[1:]
		}
		if got != row.want {
			t.Errorf("%s: %s, want %s", row.why, got, row.want)
		}
	}
	if tiers := hints.Failover(nil, func(int) hints.Candidate { return hints.Candidate{} }, at, hints.Policy{}); tiers != nil {
		t.Errorf("no endpoints make tiers %v", tiers)
	}
}

// TestFailoverAllocates two pieces of memory: the tiers, and all of their endpoints.
func TestFailoverAllocates(t *testing.T) {
	if underRace {
		t.Skip("allocations are not the same under the race detector")
	}
	list := zonedEndpoints(300)
	at := hints.Location{NodeName: "node-3", Zone: "zone-b"}
	if got := testing.AllocsPerRun(100, func() { hints.Failover(list, ipv4, at, hints.Policy{}) }); got > 2 {
		t.Errorf("%v allocations, want 2", got)
	}
}
