package slicer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
)

// Gap is an endpoint that readers miss during some steps of a plan. Slices hold the endpoint before
// the first step and after the last step, but not in between.
type Gap struct {
	// AddressType is the type of the slices.
	AddressType discoveryv1.AddressType
	// Address is the endpoint's address, the first one if it has several.
	Address string
	// Object is the targetRef of the endpoint, without resourceVersion. It is zero if there is
	// none.
	Object corev1.ObjectReference
	// Ports are the ports on which the endpoint is missing, each as name and protocol, sorted, as
	// in "dns/UDP" and "http". A port without a name is "" or "/UDP". Numbers are not compared: a
	// port's number may change during the plan. If the slices have no ports, Ports is nil.
	Ports []string
	// After and Until are numbers of steps, counted from 1. Readers miss the endpoint from the end
	// of step After to the end of step Until. Until is greater than After.
	After, Until int
}

// String returns one line, such as "IPv4 10.0.0.1 on http: missing after step 1 until step 3".
func (g Gap) String() string {
	text := string(g.AddressType) + " " + notation.Quote(g.Address)
	if len(g.Ports) > 0 {
		names := make([]string, len(g.Ports))
		for i, p := range g.Ports {
			names[i] = cmp.Or(notation.Quote(p), `""`)
		}
		text += " on " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s: missing after step %d until step %d", text, g.After, g.Until)
}

// Gaps returns the endpoints that readers will miss during some steps, although they are published
// before and after the plan. Nearly every plan has none, because steps are ordered so that no
// endpoint goes missing. There are two exceptions: slices swap endpoints of different ports in a
// cycle, or the ports of an endpoint were in one slice and are divided among several.
//
// An endpoint is identified by its addresses in any order and spelling, its hostname, and the kind,
// namespace and name of its targetRef. Only slices in Unchanged and Steps are compared, not slices
// in Ignored. The list is sorted by After, Until, address type, address, object and ports. It is
// computed at each call and shares no memory with the plan. If there is no gap, it is nil.
func (p Plan) Gaps() []Gap {
	if len(p.Steps) < 2 {
		return nil
	}
	t := timeline{end: len(p.Steps) + 1, holdings: map[endpointKey][]holding{}}
	for i := range p.Steps {
		t.add(p.Steps[i].Old, 0, i+1)
		t.add(p.Steps[i].New, i+1, t.end)
	}
	for _, s := range p.Unchanged {
		t.keep(s)
	}
	var gaps []Gap
	for key, holdings := range t.holdings {
		if t.mayMiss(holdings) {
			gaps = append(gaps, t.gaps(key, holdings)...)
		}
	}
	slices.SortFunc(gaps, func(a, b Gap) int {
		return cmp.Or(
			cmp.Compare(a.After, b.After), cmp.Compare(a.Until, b.Until),
			strings.Compare(string(a.AddressType), string(b.AddressType)),
			endpoint.CompareAddresses(a.Address, b.Address),
			endpoint.CompareReference(&a.Object, &b.Object), slices.Compare(a.Ports, b.Ports),
		)
	})
	return gaps
}

// endpointKey identifies an endpoint.
type endpointKey struct {
	typ                             discoveryv1.AddressType
	addresses                       string
	hostname, kind, namespace, name string
}

func keyOfEndpoint(typ discoveryv1.AddressType, e *discoveryv1.Endpoint) endpointKey {
	target := endpoint.TargetOf(e)
	return endpointKey{
		typ: typ, addresses: strings.Join(endpoint.AddressSet(e.Addresses), "\x00"),
		hostname: endpoint.Text(e.Hostname), kind: target.Kind, namespace: target.Namespace, name: target.Name,
	}
}

// holding says that a slice holds an endpoint while at least from, and fewer than until, steps of
// the plan are done.
type holding struct {
	slice       *discoveryv1.EndpointSlice
	endpoint    *discoveryv1.Endpoint
	from, until int
}

// timeline has the holdings of every endpoint. Each holding starts before the first step or lasts
// after the last one.
type timeline struct {
	end      int // one more than the number of steps
	holdings map[endpointKey][]holding
}

func (t *timeline) add(s *discoveryv1.EndpointSlice, from, until int) {
	if s == nil {
		return
	}
	for i := range s.Endpoints {
		key := keyOfEndpoint(s.AddressType, &s.Endpoints[i])
		t.holdings[key] = append(t.holdings[key], holding{s, &s.Endpoints[i], from, until})
	}
}

// keep adds an unchanged slice to the holdings of endpoints that some step adds, removes or keeps.
func (t *timeline) keep(s *discoveryv1.EndpointSlice) {
	for i := range s.Endpoints {
		key := keyOfEndpoint(s.AddressType, &s.Endpoints[i])
		if _, written := t.holdings[key]; written {
			t.holdings[key] = append(t.holdings[key], holding{s, &s.Endpoints[i], 0, t.end})
		}
	}
}

// mayMiss reports whether a slice gives up the endpoint before every slice that takes it is
// written. Otherwise the endpoint is missing on no port, and the ports need not be compared.
func (t *timeline) mayMiss(holdings []holding) bool {
	left, arrived := t.end, 0
	for _, s := range holdings {
		if s.from == 0 {
			left = min(left, s.until)
		}
		if s.until == t.end {
			arrived = max(arrived, s.from)
		}
	}
	return left < arrived
}

// gaps returns the Gaps of an endpoint. It compares for each port when the endpoint leaves it and
// when it arrives there again. Ports that are missing during the same steps are one Gap.
func (t *timeline) gaps(key endpointKey, holdings []holding) []Gap {
	type port struct {
		left    int // the step after which no slice that held the endpoint before holds it
		arrived int // the step after which the first slice that holds it in the end does
	}
	ports := map[string]*port{}
	for _, s := range holdings {
		for _, name := range portNames(s.slice.Ports) {
			p := ports[name]
			if p == nil {
				p = &port{left: -1, arrived: t.end}
				ports[name] = p
			}
			if s.from == 0 {
				p.left = max(p.left, s.until)
			}
			if s.until == t.end {
				p.arrived = min(p.arrived, s.from)
			}
		}
	}
	gaps := map[port]*Gap{}
	for _, name := range slices.Sorted(maps.Keys(ports)) {
		p := *ports[name]
		if p.left < 0 || p.arrived == t.end || p.left >= p.arrived {
			continue // it was not there, will not be there, or is there all the time
		}
		g := gaps[p]
		if g == nil {
			e := holdings[len(holdings)-1].endpoint
			g = &Gap{AddressType: key.typ, Object: endpoint.TargetOf(e), After: p.left, Until: p.arrived}
			if len(e.Addresses) > 0 {
				g.Address = e.Addresses[0]
			}
			gaps[p] = g
		}
		if name != noPorts {
			g.Ports = append(g.Ports, name)
		}
	}
	var list []Gap
	for _, g := range gaps {
		list = append(list, *g)
	}
	return list
}

const noPorts = "\x00" // stands for the port in slices without ports, as of a headless Service

// portNames returns the names and protocols of ports, each once, or noPorts.
func portNames(ports []discoveryv1.EndpointPort) []string {
	if len(ports) == 0 {
		return []string{noPorts}
	}
	return notation.PortNames(ports)
}
