package routing_test

import (
	"reflect"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// TestFailoverAgreesWithRoute: tiers are what the table in the comment of Failover says, family by family, and all first tiers together
// are what Route chooses. It draws often, because node hints are seldom obeyed.
func TestFailoverAgreesWithRoute(t *testing.T) {
	for range 20 {
		rapid.Check(t, failoverAgrees)
	}
}

// FuzzFailover is TestFailoverAgreesWithRoute for go test -fuzz.
func FuzzFailover(f *testing.F) { f.Fuzz(rapid.MakeFuzz(failoverAgrees)) }

func failoverAgrees(t *rapid.T) {
	candidates, at, policy := gen.Routing(t)
	list := make([]int, len(candidates))
	for i := range list {
		list[i] = i
	}
	candidate := func(i int) routing.Candidate { return candidates[i] }
	routes, got := routing.Route(list, candidate, at, policy), routing.Failover(list, candidate, at, policy)
	var want []routing.Tier[int]
	var first []int
	for _, f := range routes.Families {
		found := len(want)
		for _, scope := range []routing.Scope{routing.ScopeNode, routing.ScopeZone, routing.ScopeAll, routing.ScopeDraining} {
			tier := routing.Tier[int]{AddressType: f.AddressType, Scope: scope, NotNear: f.ZoneHints}
			if f.Scope == routing.ScopeNode || f.Scope == routing.ScopeZone || policy.InternalLocal {
				tier.NotNear = ""
			}
			tier.Endpoints = keep(list, func(i int) bool {
				ofFamily := policy.AnyFamily || candidates[i].AddressType == f.AddressType
				return ofFamily && tierByHand(candidates[i], at, policy, f.Scope) == scope
			})
			if tier.Endpoints != nil {
				want = append(want, tier)
			}
		}
		if len(want) > found {
			first = append(first, want[found].Endpoints...)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("tiers %+v, want %+v", got, want)
	}
	chosen := routes.Cluster
	if policy.InternalLocal {
		chosen = routes.Local
	}
	if slices.Sort(first); !slices.Equal(first, chosen) {
		t.Fatalf("the first tiers are %v, and Route chooses %v", first, chosen)
	}
	for i, tier := range got {
		_ = append(tier.Endpoints, -1) // the caller may append to a tier and change it
		if i+1 < len(got) && !reflect.DeepEqual(got[i+1], want[i+1]) {
			t.Fatalf("appending to tier %v writes into the next", tier.Scope)
		}
		tier.Endpoints[0] = -1
	}
	if !slices.IsSorted(list) {
		t.Fatal("the tiers share memory with the input")
	}
}

// tierByHand is the table in the comment of Failover, read from top to bottom; scope is that of Route. An endpoint in no tier: ScopeNone.
func tierByHand(c routing.Candidate, at routing.Location, policy routing.Policy, scope routing.Scope) routing.Scope {
	hintedZone := slices.Contains(c.ForZones, discoveryv1.ForZone{Name: at.Zone})
	if policy.PreferZone {
		hintedZone = c.Zone == at.Zone
	}
	switch {
	case !c.State.Ready && !c.State.ServesWhileTerminating(), policy.InternalLocal && (at.NodeName == "" || c.NodeName != at.NodeName):
		return routing.ScopeNone
	case !c.State.Ready:
		return routing.ScopeDraining
	case policy.InternalLocal:
		return routing.ScopeNode
	case scope == routing.ScopeNode && slices.Contains(c.ForNodes, discoveryv1.ForNode{Name: at.NodeName}):
		return routing.ScopeNode
	case scope == routing.ScopeNode && at.Zone != "" && (hintedZone || len(c.ForZones) == 0 && c.Zone == at.Zone):
		return routing.ScopeZone
	case scope == routing.ScopeZone && hintedZone:
		return routing.ScopeZone
	default:
		return routing.ScopeAll
	}
}
