package routing_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// TestTiers checks what callers of Failover rely on, without asking how it is decided: each ready
// endpoint is in exactly one tier, each target once, near tiers have AtLeast voters of their own,
// LastResort only adds a tier at the end of each family, and the first tiers are what Route
// chooses.
func TestTiers(t *testing.T) { rapid.Check(t, checkTiers) }

func checkTiers(t *rapid.T) {
	candidates, at, policy := gen.Routing(t)
	list := make([]int, len(candidates))
	for i := range list {
		list[i] = i
	}
	candidate := func(i int) routing.Candidate { return candidates[i] }
	tiers := routing.Failover(list, candidate, at, policy)
	in, targets := map[int]int{}, map[string]int{}
	for _, tier := range tiers {
		voters := 0
		for _, i := range tier.Endpoints {
			if in[i]++; candidates[i].State.Ready && !candidates[i].NoVote {
				voters++
			}
			if ref := candidates[i].TargetRef; ref != nil && policy.AnyFamily {
				targets[ref.Name+"/"+string(ref.UID)]++
			}
		}
		if tier.Scope.Near() && !policy.Local && voters < max(1, policy.AtLeast) {
			t.Fatalf("%s has %d voters: %+v", tier.Scope, voters, tiers)
		}
	}
	for i, c := range candidates {
		used := in[i] == 1 || in[i] == 0 && (policy.Local || policy.AnyFamily && c.TargetRef != nil)
		if c.State.Ready && !used || in[i] > 1 {
			t.Fatalf("endpoint %d is in %d tiers: %+v", i, in[i], tiers)
		}
	}
	for target, n := range targets {
		if target != "/" && n > 1 {
			t.Fatalf("target %s is there %d times: %+v", target, n, tiers)
		}
	}
	var first []int
	for n, tier := range tiers {
		if n == 0 || tiers[n-1].Family.AddressType != tier.Family.AddressType {
			first = append(first, tier.Endpoints...)
		}
	}
	if slices.Sort(first); !slices.Equal(first, routing.Route(list, candidate, at, policy).Endpoints) {
		t.Fatalf("Route does not choose the first tiers: %+v", tiers)
	}
	checkLastResort(t, tiers, func(p routing.Policy) []routing.Tier[int] {
		return routing.Failover(list, candidate, at, p)
	}, policy)
}

// checkLastResort compares the tiers with those of the same policy without a last resort.
func checkLastResort(t *rapid.T, tiers []routing.Tier[int], failover func(routing.Policy) []routing.Tier[int],
	policy routing.Policy) {
	policy.LastResort = false
	rest := failover(policy)
	tiers = slices.DeleteFunc(slices.Clone(tiers), func(t routing.Tier[int]) bool {
		return t.Scope == routing.ScopeUnready
	})
	same := slices.EqualFunc(tiers, rest, func(a, b routing.Tier[int]) bool {
		return a.Scope == b.Scope && slices.Equal(a.Endpoints, b.Endpoints)
	})
	if !same {
		t.Fatalf("without a last resort:\n%+v\nwith it:\n%+v", rest, tiers)
	}
}

// FuzzTiers is TestTiers for go test -fuzz.
func FuzzTiers(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkTiers)) }
