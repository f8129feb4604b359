package routing_test

import (
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// checkRoutes is what kube-proxies do with hints and policies, one for each family, one filter after the other, with no
// thought of speed.
func checkRoutes[E comparable](list []E, candidate func(E) routing.Candidate, at routing.Location, p routing.Policy, got routing.Routes[E]) error {
	var cluster, local []E
	if typed := candidate; p.AnyFamily {
		candidate = func(e E) routing.Candidate { c := typed(e); c.AddressType = ""; return c }
	}
	types := familiesOf(list, candidate)
	if len(got.Families) != len(types) {
		return fmt.Errorf("%d families, want %v", len(got.Families), types)
	}
	for i, t := range types {
		if got.Families[i].AddressType != t {
			return fmt.Errorf("family %d is %q, want %v", i, got.Families[i].AddressType, types)
		}
		some := keep(list, func(e E) bool { return candidate(e).AddressType == t })
		c, l, err := checkFamily(list, some, candidate, at, p, got.Families[i])
		if err != nil {
			return fmt.Errorf("%q: %w", t, err)
		}
		cluster, local = append(cluster, c...), append(local, l...)
	}
	in := func(some []E) func(E) bool { return func(e E) bool { return slices.Contains(some, e) } }
	for name, pair := range map[string][2][]E{
		"cluster": {keep(list, in(cluster)), got.Cluster},
		"local":   {keep(list, in(local)), got.Local},
		"all":     {keep(list, in(append(cluster, local...))), got.All},
	} {
		if !slices.Equal(pair[0], pair[1]) || (pair[0] == nil) != (pair[1] == nil) {
			return fmt.Errorf("%s is %v, want %v", name, pair[1], pair[0])
		}
	}
	return nil
}

// familiesOf returns the address types, sorted; the empty one if there is no endpoint.
func familiesOf[E any](list []E, candidate func(E) routing.Candidate) (types []discoveryv1.AddressType) {
	for _, e := range list {
		types = append(types, candidate(e).AddressType)
	}
	if types == nil {
		return []discoveryv1.AddressType{""}
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// checkFamily returns what the proxy of one family uses, and checks what is said about it. some are the family's endpoints.
func checkFamily[E comparable](all, list []E, candidate func(E) routing.Candidate, at routing.Location, p routing.Policy, got routing.Family) (cluster, local []E, err error) {
	ready := keep(list, func(e E) bool { return candidate(e).State.Ready })
	draining := keep(list, func(e E) bool { return candidate(e).State.ServesWhileTerminating() && !candidate(e).State.Ready })
	here := func(e E) bool { return at.NodeName != "" && candidate(e).NodeName == at.NodeName }
	forNode := func(e E) bool {
		return slices.Contains(candidate(e).ForNodes, discoveryv1.ForNode{Name: at.NodeName}) && at.NodeName != ""
	}
	forZone := func(e E) bool {
		if p.PreferZone {
			return candidate(e).Zone == at.Zone && at.Zone != ""
		}
		return slices.Contains(candidate(e).ForZones, discoveryv1.ForZone{Name: at.Zone}) && at.Zone != ""
	}
	voters := keep(ready, func(e E) bool { return !candidate(e).NoVote })

	scope := routing.Scope("")
	if len(ready)+len(draining) == 0 {
		scope = routing.ScopeNone
	} else if !p.InternalLocal || p.External {
		allHinted := func(has func(E) bool) bool { return len(keep(voters, has)) == len(voters) }
		switch {
		case len(ready) == 0:
			scope, cluster = routing.ScopeDraining, draining
		case p.PreferZone && len(keep(ready, forZone)) > 0:
			scope, cluster = routing.ScopeZone, keep(ready, forZone)
		case p.PreferZone:
			scope, cluster = routing.ScopeAll, ready
		case !p.IgnoreHints && allHinted(func(e E) bool { return len(candidate(e).ForNodes) > 0 }) && len(keep(voters, forNode)) > 0:
			scope, cluster = routing.ScopeNode, keep(ready, forNode)
		case !p.IgnoreHints && allHinted(func(e E) bool { return len(candidate(e).ForZones) > 0 }) && len(keep(voters, forZone)) > 0:
			scope, cluster = routing.ScopeZone, keep(ready, forZone)
		default:
			scope, cluster = routing.ScopeAll, ready
		}
	}
	if p.InternalLocal || (p.ExternalLocal && p.External) {
		if local = keep(ready, here); local == nil {
			local = keep(draining, here)
		}
	}
	if got.Scope != scope {
		return nil, nil, fmt.Errorf("scope %v, want %v", got.Scope, scope)
	}
	if wants := len(local) > 0 && !candidate(local[0]).State.Ready; got.LocalDraining != wants {
		return nil, nil, fmt.Errorf("local draining %v", got.LocalDraining)
	}
	if p.PreferZone && (!p.InternalLocal || p.External) {
		want := map[routing.Scope]routing.HintUse{routing.ScopeZone: routing.HintsIgnored, routing.ScopeAll: routing.NoneInZone,
			routing.ScopeNone: routing.NoVoter, routing.ScopeDraining: routing.NoVoter}[scope]
		if scope == routing.ScopeAll && at.Zone == "" {
			want = routing.PlaceUnknown
		}
		if got.ZoneHints != want || got.NodeHints != routing.HintsIgnored {
			return nil, nil, fmt.Errorf("scope %v by %v and %v, want %v", scope, got.NodeHints, got.ZoneHints, want)
		}
		return cluster, local, nil
	}
	return cluster, local, checkReasons(voters, all, candidate, got)
}

// checkReasons checks that reasons fit the scope, and that an endpoint said to lack a hint does.
func checkReasons[E comparable](voters, list []E, candidate func(E) routing.Candidate, got routing.Family) error {
	obeyed := map[routing.Scope][2]bool{routing.ScopeNode: {true, false}, routing.ScopeZone: {false, true}}[got.Scope]
	if (got.NodeHints == routing.HintsObeyed) != obeyed[0] || (got.ZoneHints == routing.HintsObeyed) != obeyed[1] {
		return fmt.Errorf("scope %v by %v and %v", got.Scope, got.NodeHints, got.ZoneHints)
	}
	for _, kind := range []struct {
		reason  routing.HintUse
		missing int
		hinted  func(routing.Candidate) bool
	}{
		{got.NodeHints, got.NodeMissing, func(c routing.Candidate) bool { return len(c.ForNodes) > 0 }},
		{got.ZoneHints, got.ZoneMissing, func(c routing.Candidate) bool { return len(c.ForZones) > 0 }},
	} {
		if (kind.reason == routing.HintMissing) != (kind.missing >= 0) {
			return fmt.Errorf("%v at %d", kind.reason, kind.missing)
		}
		if kind.missing < 0 {
			continue
		}
		if e := list[kind.missing]; kind.hinted(candidate(e)) || !slices.Contains(voters, e) {
			return fmt.Errorf("%v is no voter without a hint", e)
		}
		for _, e := range list[:kind.missing] {
			if !kind.hinted(candidate(e)) && slices.Contains(voters, e) {
				return fmt.Errorf("%v is the first voter without a hint, not %d", e, kind.missing)
			}
		}
	}
	return nil
}

func keep[E any](list []E, want func(E) bool) (kept []E) {
	for _, e := range list {
		if want(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// TestRouteOracle compares Route with the rules on everything that a few endpoints can be.
func TestRouteOracle(t *testing.T) { rapid.Check(t, routeOracle) }

func FuzzRouteOracle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(routeOracle)) }

func routeOracle(t *rapid.T) {
	candidates, at, policy := gen.Routing(t)
	list := make([]int, len(candidates))
	for i := range list {
		list[i] = i
	}
	called := make([]int, len(candidates))
	got := routing.Route(list, func(i int) routing.Candidate { called[i]++; return candidates[i] }, at, policy)
	if err := checkRoutes(list, func(i int) routing.Candidate { return candidates[i] }, at, policy, got); err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if called[i] != 1 || list[i] != i {
			t.Fatalf("candidate was called %v times, endpoints are %v", called, list)
		}
	}
	// The caller may change the lists it got.
	for _, result := range [][]int{got.Cluster, got.Local, got.All} {
		for i := range result {
			result[i] = -1
		}
	}
	for i := range list {
		if list[i] != i {
			t.Fatal("the result shares memory with the input")
		}
	}
}
