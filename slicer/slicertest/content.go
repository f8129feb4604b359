package slicertest

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// pair is an endpoint on its ports, as readers see it.
type pair struct {
	endpointKey
	ports string
}

// endpointKey is an endpoint on any ports.
type endpointKey struct {
	addressType discoveryv1.AddressType
	address     string // canonical
}

func (p pair) String() string { return p.address + " on [" + p.ports + "]" }

// place is an endpoint in one of the slices.
type place struct {
	pair
	slice    string
	labels   map[string]string    // of the slice
	endpoint discoveryv1.Endpoint // in normal form: see plain
	serving  bool                 // the condition serving is set
}

// text prints the endpoint with all its fields, and its ports.
func (p place) text() string {
	return notation.Endpoint(&p.endpoint, namespace) + " on [" + p.ports + "]"
}

// places lists the endpoints of slices, in the order of the slices.
func places(list []*discoveryv1.EndpointSlice) []place {
	var found []place
	for _, s := range list {
		ports := portsOf(s.Ports)
		for i := range s.Endpoints {
			e := plain(&s.Endpoints[i])
			at := pair{endpointKey{s.AddressType, e.Addresses[0]}, ports}
			found = append(found, place{pair: at, slice: s.Name, labels: s.Labels, endpoint: e,
				serving: s.Endpoints[i].Conditions.Serving != nil})
		}
	}
	return found
}

func portsOf(ports []discoveryv1.EndpointPort) string {
	return notation.Ports(endpoint.APIPorts(endpoint.Ports(nil, ports)))
}

// plain returns an endpoint in a normal form, so that endpoints with the same meaning are equal:
// conditions that are unset have the values that readers assume according to the API documentation,
// addresses are canonical, and hints are sorted.
func plain(e *discoveryv1.Endpoint) discoveryv1.Endpoint {
	c := *e.DeepCopy()
	for i, a := range c.Addresses {
		c.Addresses[i] = sim.Canonical(a)
	}
	if len(c.Addresses) == 0 {
		c.Addresses = []string{""} // not possible: the API server refuses it
	}
	state := conditions.Of(c.Conditions)
	if c.Conditions.Serving == nil && !state.Terminating {
		state.Serving = state.Ready // as in older API documentation; readers use serving only of terminating endpoints
	}
	c.Conditions = state.API()
	if c.TargetRef != nil {
		c.TargetRef.ResourceVersion = ""
	}
	if h := c.Hints; h != nil {
		slices.SortFunc(h.ForZones, func(a, b discoveryv1.ForZone) int { return cmp.Compare(a.Name, b.Name) })
		slices.SortFunc(h.ForNodes, func(a, b discoveryv1.ForNode) int { return cmp.Compare(a.Name, b.Name) })
	}
	return c
}
