package routing_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// oracle decides by one filter after the other over lists of indexes, without a thought of speed.
type oracle struct {
	all    []routing.Candidate
	at     routing.Location
	policy routing.Policy
}

// decision is what is said about a family.
type decision struct {
	family routing.Family
	tiers  []routing.Tier[int]
	why    map[int]routing.Why
}

// decide decides over the endpoints of one family.
func (o oracle) decide(t discoveryv1.AddressType, list []int) decision {
	d := decision{family: routing.Family{AddressType: t, NodeMissing: -1, ZoneMissing: -1}, why: map[int]routing.Why{}}
	list, hidden := o.onceEach(list)
	for _, i := range hidden {
		d.why[i] = routing.OtherAddress
	}
	here, there := list, []int(nil)
	if o.policy.Local {
		here, there = keep(list, o.onNode), keep(list, func(i int) bool { return !o.onNode(i) })
	}
	for _, i := range there {
		d.why[i] = routing.OtherNode
	}
	for _, i := range here {
		switch {
		case o.stopped(i):
			d.why[i] = routing.Stopped
		case o.idle(i):
			d.why[i] = routing.NotReady
		}
	}
	left := keep(here, o.ready)
	for _, near := range o.nearest(&d.family, left) {
		in := func(i int) bool { return slices.Contains(near.members, i) }
		d.add(near.scope, keep(left, in))
		left = keep(left, func(i int) bool { return !in(i) })
	}
	if !o.policy.Local {
		d.add(routing.ScopeAll, left)
	}
	d.add(routing.ScopeDraining, keep(here, o.draining))
	if o.policy.LastResort {
		d.add(routing.ScopeUnready, keep(here, o.idle))
	}
	switch {
	case len(d.tiers) > 0:
		d.family.Scope = d.tiers[0].Scope
	case len(keep(there, func(i int) bool {
		return o.ready(i) || o.draining(i) || o.idle(i) && o.policy.LastResort
	})) > 0:
		d.family.Scope = routing.ScopeElsewhere
	default:
		d.family.Scope = routing.ScopeNone
	}
	for n := range d.tiers {
		d.tiers[n].Family = d.family
		for _, i := range d.tiers[n].Endpoints {
			d.why[i] = o.why(n == 0, d.tiers[n].Scope)
		}
	}
	return d
}

func (d *decision) add(scope routing.Scope, members []int) {
	if len(members) > 0 {
		d.tiers = append(d.tiers, routing.Tier[int]{Scope: scope, Endpoints: members})
	}
}

func (o oracle) why(used bool, scope routing.Scope) routing.Why {
	byHints := !o.policy.Local && o.policy.Near == 0
	switch {
	case scope == routing.ScopeDraining && used:
		return routing.NoneReady
	case scope == routing.ScopeUnready && used:
		return routing.IsLastResort
	case scope == routing.ScopeDraining || scope == routing.ScopeUnready:
		return routing.OthersReady
	case used && scope == routing.ScopeAll:
		return routing.IsReady
	case used && byHints:
		return routing.Hinted
	case used:
		return routing.IsNear
	case byHints:
		return routing.OthersHinted
	default:
		return routing.OthersNear
	}
}

// onceEach returns one endpoint of each target, and the others.
func (o oracle) onceEach(list []int) (chosen, hidden []int) {
	if !o.policy.AnyFamily {
		return list, nil
	}
	for _, i := range list {
		same := keep(list, func(k int) bool { return k == i || o.sameTarget(i, k) })
		slices.SortStableFunc(same, func(a, b int) int { return cmp.Compare(o.rank(a), o.rank(b)) })
		if same[0] == i {
			chosen = append(chosen, i)
		} else {
			hidden = append(hidden, i)
		}
	}
	return chosen, hidden
}

func (o oracle) sameTarget(i, k int) bool {
	a, b := o.all[i].TargetRef, o.all[k].TargetRef
	return a != nil && b != nil && a.Name+string(a.UID) != "" &&
		a.Kind == b.Kind && a.Namespace == b.Namespace && a.Name == b.Name && a.UID == b.UID
}

// rank is lower for the endpoint of a target that is used.
func (o oracle) rank(i int) (rank int) {
	for _, better := range []func(int) bool{o.ready, o.draining, o.idle} {
		if better(i) {
			break
		}
		rank += 10
	}
	for _, nearer := range []func(int) bool{o.onNode, o.inZone, o.inRegion} {
		if nearer(i) {
			break
		}
		rank++
	}
	return rank
}

func (o oracle) ready(i int) bool { return o.all[i].State.Ready }
func (o oracle) voter(i int) bool { return o.ready(i) && !o.all[i].NoVote }
func (o oracle) draining(i int) bool {
	return !o.ready(i) && o.all[i].State.Serving && o.all[i].State.Terminating
}
func (o oracle) stopped(i int) bool {
	return !o.ready(i) && !o.draining(i) && o.all[i].State.Terminating
}
func (o oracle) idle(i int) bool { return !o.ready(i) && !o.all[i].State.Terminating }

// onNode, inZone and inRegion compare names. If one of the two names is not known, the smaller
// place decides.
func (o oracle) onNode(i int) bool {
	return o.all[i].NodeName != "" && o.all[i].NodeName == o.at.NodeName
}

func (o oracle) inZone(i int) bool {
	if o.all[i].Zone == "" || o.at.Zone == "" {
		return o.onNode(i)
	}
	return o.all[i].Zone == o.at.Zone
}

func (o oracle) inRegion(i int) bool {
	if o.all[i].Region == "" || o.at.Region == "" {
		return o.inZone(i)
	}
	return o.all[i].Region == o.at.Region
}

// nearTier is endpoints that come before others.
type nearTier struct {
	scope   routing.Scope
	members []int
}

// nearest returns the near tiers of the ready endpoints, and fills in the reasons.
func (o oracle) nearest(f *routing.Family, ready []int) (tiers []nearTier) {
	switch {
	case o.policy.Local:
		f.Node = routing.Present
		if o.at.NodeName == "" {
			f.Node = routing.PlaceUnknown
		} else if len(ready) == 0 {
			f.Node = routing.NoneThere
		}
		return []nearTier{{routing.ScopeNode, ready}}
	case o.policy.Near != 0:
		return o.byPlace(f, ready)
	default:
		return o.byHints(f, ready)
	}
}

func (o oracle) byPlace(f *routing.Family, ready []int) (tiers []nearTier) {
	left := ready
	for _, level := range []struct {
		which  routing.Nearness
		scope  routing.Scope
		name   string
		in     func(int) bool
		reason *routing.Reason
	}{
		{routing.Node, routing.ScopeNode, o.at.NodeName, o.onNode, &f.Node},
		{routing.Zone, routing.ScopeZone, o.at.Zone, o.inZone, &f.Zone},
		{routing.Region, routing.ScopeRegion, o.at.Region, o.inRegion, &f.Region},
	} {
		if o.policy.Near&level.which == 0 {
			continue
		}
		members := keep(left, level.in)
		if *level.reason = o.enough(ready, members, level.name); *level.reason == routing.Present {
			tiers = append(tiers, nearTier{level.scope, members})
			left = keep(left, func(i int) bool { return !level.in(i) })
		}
	}
	return tiers
}

// enough says whether some of the ready endpoints make a tier.
func (o oracle) enough(ready, members []int, place string) routing.Reason {
	switch n := len(keep(members, o.voter)); {
	case len(keep(ready, o.voter)) == 0:
		return routing.NoVoter
	case place == "":
		return routing.PlaceUnknown
	case n == 0:
		return routing.NoneThere
	case n < o.policy.AtLeast:
		return routing.TooFew
	default:
		return routing.Present
	}
}

func (o oracle) forNode(i int) bool {
	return slices.Contains(o.all[i].ForNodes, discoveryv1.ForNode{Name: o.at.NodeName})
}

func (o oracle) forZone(i int) bool {
	return slices.Contains(o.all[i].ForZones, discoveryv1.ForZone{Name: o.at.Zone})
}

func (o oracle) byHints(f *routing.Family, ready []int) []nearTier {
	voters := keep(ready, o.voter)
	hasNode := func(i int) bool { return len(o.all[i].ForNodes) > 0 }
	hasZone := func(i int) bool { return len(o.all[i].ForZones) > 0 }
	node, zone := keep(ready, o.forNode), keep(ready, o.forZone)
	if f.Node, f.NodeMissing = o.obeyed(voters, node, hasNode, o.at.NodeName); f.Node == routing.HintsObeyed {
		beside := keep(ready, func(i int) bool {
			inZone := o.all[i].Zone == o.at.Zone
			return !o.forNode(i) && (o.forZone(i) || !hasZone(i) && inZone)
		})
		if f.Zone = o.enough(ready, beside, o.at.Zone); f.Zone != routing.Present {
			beside = nil
		}
		return []nearTier{{routing.ScopeNode, node}, {routing.ScopeZone, beside}}
	}
	if f.Zone, f.ZoneMissing = o.obeyed(voters, zone, hasZone, o.at.Zone); f.Zone == routing.HintsObeyed {
		return []nearTier{{routing.ScopeZone, zone}}
	}
	return nil
}

// obeyed says whether the hints of a kind are obeyed: for a node or a zone, for which some ready
// endpoints are.
func (o oracle) obeyed(voters, named []int, has func(int) bool, place string) (routing.Reason, int) {
	without := keep(voters, func(i int) bool { return !has(i) })
	switch {
	case o.policy.IgnoreHints:
		return routing.HintsIgnored, -1
	case len(voters) == 0:
		return routing.NoVoter, -1
	case len(without) == len(voters):
		return routing.NoHints, -1
	case place == "":
		return routing.PlaceUnknown, -1
	case len(without) > 0:
		return routing.HintMissing, without[0]
	}
	switch named = keep(named, o.voter); {
	case len(named) == 0:
		return routing.NotNamed, -1
	case len(named) < o.policy.AtLeast:
		return routing.TooFew, -1
	default:
		return routing.HintsObeyed, -1
	}
}

func keep[E any](list []E, want func(E) bool) (kept []E) {
	for _, e := range list {
		if want(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// byFamily returns the indexes of the endpoints of each address type; without endpoints, the empty
// type.
func (o oracle) byFamily() (types []discoveryv1.AddressType, lists [][]int) {
	by := map[discoveryv1.AddressType][]int{}
	for i, c := range o.all {
		if o.policy.AnyFamily {
			c.AddressType = ""
		}
		by[c.AddressType] = append(by[c.AddressType], i)
	}
	if len(by) == 0 {
		by[""] = nil
	}
	for t := range by {
		types = append(types, t)
	}
	slices.Sort(types)
	for _, t := range types {
		lists = append(lists, by[t])
	}
	return types, lists
}

// TestOracle compares Route, Failover and Explain with a slow enumeration, over everything that a
// few endpoints, a reader's place and a policy can be. With SLICEWRIGHT_FULL it draws more, as in
// .ci/run; -rapid.checks says how many.
func TestOracle(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() == checks.DefValue {
		n := "2000"
		if os.Getenv("SLICEWRIGHT_FULL") == "1" {
			n = "20000"
		}
		if err := checks.Value.Set(n); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := checks.Value.Set(checks.DefValue); err != nil {
				t.Error(err)
			}
		}()
	}
	rapid.Check(t, compareWithOracle)
}

// FuzzOracle is TestOracle for go test -fuzz.
func FuzzOracle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(compareWithOracle)) }

func compareWithOracle(t *rapid.T) {
	o := oracle{}
	o.all, o.at, o.policy = gen.Routing(t)
	list := make([]int, len(o.all))
	for i := range list {
		list[i] = i
	}
	called := make([]int, len(list))
	candidate := func(i int) routing.Candidate { called[i]++; return o.all[i] }

	var want routing.Routes[int]
	var tiers []routing.Tier[int]
	verdicts := make([]routing.Verdict, len(list))
	types, lists := o.byFamily()
	for n, family := range types {
		d := o.decide(family, lists[n])
		want.Families = append(want.Families, d.family)
		tiers = append(tiers, d.tiers...)
		for _, i := range lists[n] {
			verdicts[i] = routing.Verdict{Scope: routing.ScopeNone, Why: d.why[i]}
			if d.why[i] == routing.OtherNode {
				verdicts[i].Scope = routing.ScopeElsewhere
			}
		}
		for k, tier := range d.tiers {
			for _, i := range tier.Endpoints {
				verdicts[i].Scope, verdicts[i].Used = tier.Scope, k == 0
			}
			if k == 0 {
				want.Endpoints = append(want.Endpoints, tier.Endpoints...)
			}
		}
	}
	slices.Sort(want.Endpoints)

	routes, failover := routing.Route(list, candidate, o.at, o.policy), routing.Failover(list, candidate, o.at,
		o.policy)
	if !reflect.DeepEqual(routes, want) {
		t.Fatalf("Route:\n%+v, want\n%+v", routes, want)
	}
	if !reflect.DeepEqual(failover, tiers) {
		t.Fatalf("Failover:\n%+v, want\n%+v", failover, tiers)
	}
	if got := routing.Explain(list, candidate, o.at, o.policy); !slices.Equal(got, verdicts) {
		t.Fatalf("Explain:\n%+v, want\n%+v", got, verdicts)
	}
	for i := range list {
		if called[i] != 3 || list[i] != i {
			t.Fatalf("three calls asked for candidates %v times, and the list is %v", called, list)
		}
	}
	checkOwnMemory(t, list, routes, failover)
}

// checkOwnMemory changes and appends to what was returned.
func checkOwnMemory(t *rapid.T, list []int, routes routing.Routes[int], tiers []routing.Tier[int]) {
	before := fmt.Sprint(list, tiers)
	for _, tier := range tiers {
		_ = append(tier.Endpoints, -1)
	}
	for i := range routes.Endpoints {
		routes.Endpoints[i] = -1
	}
	if after := fmt.Sprint(list, tiers); before != after {
		t.Fatalf("the results share memory: %s, then %s", before, after)
	}
	for _, tier := range tiers {
		tier.Endpoints[0] = -1
	}
	if !slices.IsSorted(list) {
		t.Fatal("the tiers share memory with the list")
	}
}
