package routing_test

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// oracle decides by one filter after the other over lists of endpoints, without a thought of speed.
type oracle struct {
	at     routing.Location
	policy routing.Policy
}

// decision is what is said about a family. Endpoints are identified by Port.
type decision struct {
	tiers   []routing.Tier
	first   []dedup.Endpoint // what Route returns
	reasons map[int32]string
}

// decide decides over the endpoints of one family.
func (o oracle) decide(t discoveryv1.AddressType, list []dedup.Endpoint) decision {
	d := decision{reasons: map[int32]string{}}
	note := func(reason string, list []dedup.Endpoint) {
		for _, e := range list {
			d.reasons[e.Port] = reason
		}
	}
	add := func(place routing.Place, used, unused string, members []dedup.Endpoint) {
		if len(members) == 0 {
			return
		}
		if d.tiers == nil {
			d.first = members
			unused = used
		}
		note(unused, members)
		d.tiers = append(d.tiers, routing.Tier{Place: place, AddressType: t, Endpoints: members})
	}
	list, hidden := o.onceEach(list)
	note("OtherAddress", hidden)
	note("NotReady", list)
	if o.policy.Local {
		note("OtherNode", keep(list, func(e dedup.Endpoint) bool { return !o.onNode(e) }))
		list = keep(list, o.onNode)
	}
	left := keep(list, ready)
	used, unused := "Hinted", "OthersHinted"
	if o.policy.Local || o.byPlace() {
		used, unused = "IsNear", "OthersNear"
	}
	for i, members := range o.nearest(left) {
		add([]routing.Place{routing.Node, routing.Zone, routing.Region}[i], used, unused, members)
		left = keep(left, func(e dedup.Endpoint) bool { return !has(members, e) })
	}
	add(routing.Anywhere, "IsReady", unused, left)
	add(routing.Anywhere, "NoneReady", "OthersReady", keep(list, draining))
	if o.policy.LastResort {
		add(routing.Anywhere, "IsLastResort", "OthersReady", keep(list, idle))
	}
	return d
}

func has(list []dedup.Endpoint, e dedup.Endpoint) bool {
	return slices.ContainsFunc(list, func(other dedup.Endpoint) bool { return other.Port == e.Port })
}

// onceEach returns one endpoint of each target, and the others.
func (o oracle) onceEach(list []dedup.Endpoint) (chosen, hidden []dedup.Endpoint) {
	if !o.policy.AnyFamily {
		return list, nil
	}
	for _, e := range list {
		same := keep(list, func(f dedup.Endpoint) bool { return e.Port == f.Port || sameTarget(e, f) })
		slices.SortStableFunc(same, func(a, b dedup.Endpoint) int { return cmp.Compare(o.rank(a), o.rank(b)) })
		if same[0].Port == e.Port {
			chosen = append(chosen, e)
		} else {
			hidden = append(hidden, e)
		}
	}
	return chosen, hidden
}

func sameTarget(e, f dedup.Endpoint) bool {
	a, b := e.TargetRef, f.TargetRef
	return a != nil && b != nil && a.Name+string(a.UID) != "" &&
		a.Kind == b.Kind && a.Namespace == b.Namespace && a.Name == b.Name && a.UID == b.UID
}

// rank is lower for the endpoint of a target that is used.
func (o oracle) rank(e dedup.Endpoint) (rank int) {
	for _, better := range []func(dedup.Endpoint) bool{ready, draining, idle} {
		if better(e) {
			break
		}
		rank += 10
	}
	for _, nearer := range []func(dedup.Endpoint) bool{o.onNode, o.inZone, o.inRegion} {
		if nearer(e) {
			break
		}
		rank++
	}
	return rank
}

func ready(e dedup.Endpoint) bool { return e.Conditions.Ready }
func draining(e dedup.Endpoint) bool {
	return !ready(e) && e.Conditions.Serving && e.Conditions.Terminating
}
func idle(e dedup.Endpoint) bool { return !ready(e) && !e.Conditions.Terminating }

// onNode, inZone and inRegion compare names. If one of the two names is not known, the smaller
// place decides.
func (o oracle) onNode(e dedup.Endpoint) bool { return e.NodeName != "" && e.NodeName == o.at.NodeName }

func (o oracle) inZone(e dedup.Endpoint) bool {
	if e.Zone == "" || o.at.Zone == "" {
		return o.onNode(e)
	}
	return e.Zone == o.at.Zone
}

func (o oracle) inRegion(e dedup.Endpoint) bool {
	if e.Region == "" || o.at.Region == "" {
		return o.inZone(e)
	}
	return e.Region == o.at.Region
}

func (o oracle) byPlace() bool {
	return slices.Contains([]routing.Place{routing.Node, routing.Zone, routing.Region}, o.policy.Near)
}

// nearest returns the ready endpoints that come first for their node, zone and region.
func (o oracle) nearest(ready []dedup.Endpoint) (tiers [3][]dedup.Endpoint) {
	switch {
	case o.policy.Local:
		tiers[0] = ready
	case o.byPlace():
		o.nearestByPlace(ready, &tiers)
	case !o.policy.IgnoreHints:
		o.nearestByHints(ready, &tiers)
	}
	return tiers
}

func (o oracle) nearestByPlace(ready []dedup.Endpoint, tiers *[3][]dedup.Endpoint) {
	from := slices.Index([]routing.Place{routing.Node, routing.Zone, routing.Region}, o.policy.Near)
	name := []string{o.at.NodeName, o.at.Zone, o.at.Region}
	for i, in := range []func(dedup.Endpoint) bool{o.onNode, o.inZone, o.inRegion} {
		if members := keep(ready, in); i >= from && o.enough(members, name[i]) {
			tiers[i] = members
			ready = keep(ready, func(e dedup.Endpoint) bool { return !in(e) })
		}
	}
}

// enough reports whether some ready endpoints make a tier.
func (o oracle) enough(members []dedup.Endpoint, place string) bool {
	return place != "" && len(members) > 0 && len(members) >= o.policy.AtLeast
}

func (o oracle) nearestByHints(ready []dedup.Endpoint, tiers *[3][]dedup.Endpoint) {
	hints := func(e dedup.Endpoint) (h discoveryv1.EndpointHints) {
		if e.Hints != nil {
			h = *e.Hints
		}
		return h
	}
	forNode := func(e dedup.Endpoint) bool {
		return slices.Contains(hints(e).ForNodes, discoveryv1.ForNode{Name: o.at.NodeName})
	}
	forZone := func(e dedup.Endpoint) bool {
		return slices.Contains(hints(e).ForZones, discoveryv1.ForZone{Name: o.at.Zone})
	}
	noNode := keep(ready, func(e dedup.Endpoint) bool { return len(hints(e).ForNodes) == 0 })
	noZone := keep(ready, func(e dedup.Endpoint) bool { return len(hints(e).ForZones) == 0 })
	node, zone := keep(ready, forNode), keep(ready, forZone)
	switch {
	case len(noNode) == 0 && o.enough(node, o.at.NodeName):
		tiers[0] = node
		beside := keep(ready, func(e dedup.Endpoint) bool {
			return !forNode(e) && (forZone(e) || has(noZone, e) && e.Zone == o.at.Zone)
		})
		if o.enough(beside, o.at.Zone) {
			tiers[1] = beside
		}
	case len(noZone) == 0 && o.enough(zone, o.at.Zone):
		tiers[1] = zone
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

func familyOf(e dedup.Endpoint) discoveryv1.AddressType {
	switch {
	case e.FQDN != "":
		return discoveryv1.AddressTypeFQDN
	case e.Address.Is4():
		return discoveryv1.AddressTypeIPv4
	case e.Address.Is6():
		return discoveryv1.AddressTypeIPv6
	default:
		return ""
	}
}

// TestOracle compares Route, Failover and Explain with a slow enumeration, over everything that a
// few endpoints, a reader's place and a policy can be.
func TestOracle(t *testing.T) { rapid.Check(t, compareWithOracle) }

// FuzzOracle is TestOracle for go test -fuzz.
func FuzzOracle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(compareWithOracle)) }

func compareWithOracle(t *rapid.T) {
	list, at, policy := gen.Routing(t)
	copied := slices.Clone(list)
	o := oracle{at, policy}
	var want []dedup.Endpoint
	var tiers []routing.Tier
	reasons := map[int32]string{}
	for _, family := range []discoveryv1.AddressType{"", "FQDN", "IPv4", "IPv6"} {
		own := keep(list, func(e dedup.Endpoint) bool { return policy.AnyFamily || familyOf(e) == family })
		if policy.AnyFamily && family != "" {
			break
		}
		d := o.decide(family, own)
		want = append(want, d.first...)
		tiers = append(tiers, d.tiers...)
		for i, reason := range d.reasons {
			reasons[i] = reason
		}
	}
	slices.SortFunc(want, func(a, b dedup.Endpoint) int { return cmp.Compare(a.Port, b.Port) })
	got := routing.Route(list, at, policy)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("Route:\n%+v, want\n%+v", got, want)
	}
	failover := routing.Failover(list, at, policy)
	if !reflect.DeepEqual(failover, tiers) {
		t.Fatalf("Failover:\n%+v, want\n%+v", failover, tiers)
	}
	for i, v := range routing.Explain(list, at, policy) {
		if v.Used != has(want, list[i]) || v.Reason != reasons[int32(i)] || v.Message == "" {
			t.Fatalf("Explain: %d: %+v, want %s", i, v, reasons[int32(i)])
		}
	}
	for i := range got { // the results are the caller's
		got[i].Zone = "changed"
	}
	for _, tier := range failover {
		tier.Endpoints[0].Zone = "changed"
		_ = append(tier.Endpoints, dedup.Endpoint{})
	}
	if !reflect.DeepEqual(list, copied) || !reflect.DeepEqual(got == nil, want == nil) {
		t.Fatal("the results share memory with the list")
	}
}
