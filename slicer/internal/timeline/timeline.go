// Package timeline says when slices hold an endpoint while the steps of a plan are carried out, one
// after the other:
//
//	steps done   0     1     2     3
//	web-a        held  held  -     -       step 2 removes the endpoint
//	web-b        -     -     -     held    step 3 adds it: it is absent after step 2 until step 3
package timeline

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// An Absence is an endpoint that no slice holds on the given ports from step After until step
// Until, although slices hold it on these ports before the first step and after the last one.
type Absence struct {
	Endpoint *discoveryv1.Endpoint // the first of its copies in canonical order, shared with a slice
	// Ports are names and protocols, sorted. If the slices have no ports, Ports is nil.
	Ports        []string
	After, Until int
}

// A Step replaces one slice by another. Old is nil for a create, and New is nil for a delete.
type Step struct{ Old, New *discoveryv1.EndpointSlice }

// Absences returns the endpoints that are absent during some of the steps, in any order. kept are
// the slices that no step writes. No argument is changed.
func Absences(steps []Step, kept []*discoveryv1.EndpointSlice) []Absence {
	if len(steps) < 2 {
		return nil // a single step removes and adds endpoints at the same moment
	}
	t := timeline{end: len(steps) + 1, holdings: map[endpointKey][]holding{}}
	for i, step := range steps {
		t.add(step.Old, 0, i+1)
		t.add(step.New, i+1, t.end)
	}
	for _, s := range kept {
		t.keep(s)
	}
	var list []Absence
	for _, holdings := range t.holdings {
		if t.mayMiss(holdings) {
			list = append(list, t.absences(holdings)...)
		}
	}
	return list
}

// endpointKey identifies an endpoint.
type endpointKey struct {
	typ discoveryv1.AddressType
	endpoint.Identity
}

func keyOfEndpoint(typ discoveryv1.AddressType, e *discoveryv1.Endpoint) endpointKey {
	return endpointKey{typ, endpoint.IdentityOf(e)}
}

// holding says that a slice holds an endpoint from the end of step from to the end of step until. 0
// is the time before the first step.
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

// keep adds a slice that no step writes. It adds holdings only for endpoints that are in a slice of
// some step, because no other endpoint can be absent.
func (t *timeline) keep(s *discoveryv1.EndpointSlice) {
	if s == nil {
		return
	}
	for i := range s.Endpoints {
		key := keyOfEndpoint(s.AddressType, &s.Endpoints[i])
		if _, written := t.holdings[key]; written {
			t.holdings[key] = append(t.holdings[key], holding{s, &s.Endpoints[i], 0, t.end})
		}
	}
}

// mayMiss reports whether a slice gives up the endpoint before the last slice that takes it is
// written. If not, the endpoint is missing on no port, and the ports need not be compared.
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

// absences returns the absences of one endpoint. For each port, it compares when the last old slice
// gives up the endpoint and when the first new slice takes it. Ports on which the endpoint is
// missing during the same steps make one Absence.
func (t *timeline) absences(holdings []holding) []Absence {
	type port struct {
		left    int // after this step, no slice that held the endpoint at first holds it
		arrived int // after this step, a slice that holds the endpoint in the end holds it
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
	first := slices.MinFunc(holdings, func(a, b holding) int { return endpoint.Compare(a.endpoint, b.endpoint) })
	var list []Absence
	numbers := map[port]int{} // indices in list
	for _, name := range slices.Sorted(maps.Keys(ports)) {
		p := *ports[name]
		if p.left < 0 || p.arrived == t.end || p.left >= p.arrived {
			continue // the endpoint was not there at first, is not there in the end, or is there all the time
		}
		n, has := numbers[p]
		if !has {
			n = len(list)
			numbers[p] = n
			list = append(list, Absence{Endpoint: first.endpoint, After: p.left, Until: p.arrived})
		}
		if name != noPorts {
			list[n].Ports = append(list[n].Ports, name)
		}
	}
	return list
}

const noPorts = "\x00" // the port name of slices without ports, such as those of a headless Service

// portNames returns the names and protocols of ports without repetitions, or noPorts if there are
// no ports.
func portNames(ports []discoveryv1.EndpointPort) []string {
	if len(ports) == 0 {
		return []string{noPorts}
	}
	names := make([]string, 0, len(ports))
	for i := range ports {
		p := endpoint.PortOf(&ports[i])
		name := p.Name
		if p.Protocol != corev1.ProtocolTCP {
			name += "/" + string(p.Protocol)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
