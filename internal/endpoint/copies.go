package endpoint

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Copies makes the endpoints of one new slice. Everything to which they point is in arrays that
// belong to this slice alone, so that a caller may change one new slice without changing another
// one. There is one array for each kind of value: one for each endpoint would make a plan with one
// changed Pod a third slower.
type Copies struct {
	n       int // the number of endpoints
	bools   []bool
	strings []string
	targets []corev1.ObjectReference
	hints   []discoveryv1.EndpointHints
	zones   []discoveryv1.ForZone
	nodes   []discoveryv1.ForNode
}

// CopiesOf returns Copies for n endpoints.
func CopiesOf(n int) Copies { return Copies{n: n} }

// Put copies an endpoint without its hints, as it is published: with canonical addresses, and
// without empty texts, which the API server refuses. If canonical is true, the addresses are
// canonical already.
func (c *Copies) Put(to, from *discoveryv1.Endpoint, canonical bool) {
	to.Addresses = put(&c.strings, 3*c.n, from.Addresses...)
	if !canonical {
		for i, a := range to.Addresses {
			to.Addresses[i] = Canonical(a)
		}
	}
	to.Conditions.Ready = point(&c.bools, 3*c.n, from.Conditions.Ready)
	to.Conditions.Serving = point(&c.bools, 3*c.n, from.Conditions.Serving)
	to.Conditions.Terminating = point(&c.bools, 3*c.n, from.Conditions.Terminating)
	to.Hostname = c.text(from.Hostname)
	to.NodeName = c.text(from.NodeName)
	to.Zone = c.text(from.Zone)
	if to.TargetRef = point(&c.targets, c.n, from.TargetRef); to.TargetRef != nil {
		to.TargetRef.ResourceVersion = ""
	}
}

// Hints returns a copy of the given hints. If zone is not empty, a hint for the zone replaces the
// given ones for zones; node does the same for nodes. Hints returns nil if there are no hints.
func (c *Copies) Hints(given discoveryv1.EndpointHints, zone, node string) *discoveryv1.EndpointHints {
	if len(given.ForZones)+len(given.ForNodes) == 0 && zone == "" && node == "" {
		return nil
	}
	to := &put(&c.hints, c.n, discoveryv1.EndpointHints{})[0]
	to.ForZones = put(&c.zones, c.n, given.ForZones...)
	to.ForNodes = put(&c.nodes, c.n, given.ForNodes...)
	if zone != "" {
		to.ForZones = put(&c.zones, c.n, discoveryv1.ForZone{Name: zone})
	}
	if node != "" {
		to.ForNodes = put(&c.nodes, c.n, discoveryv1.ForNode{Name: node})
	}
	return to
}

func (c *Copies) text(v *string) *string {
	if Text(v) == "" {
		return nil
	}
	return point(&c.strings, 3*c.n, v)
}

// put copies values to the end of an array. If the array has no room for them, a new array of at
// least the given size is made, and the old one stays with the endpoints that point into it.
func put[T any](array *[]T, size int, values ...T) []T {
	if len(values) == 0 {
		return nil
	}
	if cap(*array)-len(*array) < len(values) {
		*array = make([]T, 0, max(size, len(values)))
	}
	start := len(*array)
	*array = append(*array, values...)
	return (*array)[start:len(*array):len(*array)]
}

// point copies a value to the end of an array, as put does, and returns a pointer to the copy. For
// nil it returns nil.
func point[T any](array *[]T, size int, v *T) *T {
	if v == nil {
		return nil
	}
	if len(*array) == cap(*array) {
		*array = make([]T, 0, size)
	}
	*array = append(*array, *v)
	return &(*array)[len(*array)-1]
}
