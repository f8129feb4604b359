package slicer

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
)

// decided is everything that the stages before emit decided. Nothing changes it any more, and nothing of a plan points into it.
type decided struct {
	in       *Input
	rules    *rules
	wanted   *wanted
	present  *present
	homes    *homes
	layout   *layout.Layout
	hints    decisions
	triggers triggers
	order    []int32 // of updates
}

// build fills in all of an object that is to be written but its name. It copies every leaf into arrays that the object
// has for itself, one for each kind, so that a caller may change one planned object without another.
func (d *decided) build(object *discoveryv1.EndpointSlice, g int32, items []int32) {
	d.rules.meta.Apply(&object.ObjectMeta, d.triggers.of(items))
	object.Endpoints = make([]discoveryv1.Endpoint, len(items))
	if g == none {
		object.Ports = []discoveryv1.EndpointPort{}
		return
	}
	object.Ports = endpoint.APIPorts(d.wanted.groups[g].Ports)
	into := &arrays{n: len(items)}
	for n, i := range items {
		d.copyEndpoint(&object.Endpoints[n], i, into)
	}
}

// arrays are what the n endpoints of an object point into.
type arrays struct {
	n       int
	bools   []bool
	strings []string
	targets []corev1.ObjectReference
	hints   []discoveryv1.EndpointHints
	zones   []discoveryv1.ForZone
	nodes   []discoveryv1.ForNode
}

// put copies values to the end of an array. One without room for them is left to those who point into it, and a new one is made,
// at least so large as size says.
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

// point copies a value to the end of an array, as put does, and points to it; nil to nil.
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

// text copies a text; the empty one is left out, since the API server refuses it.
func (l *arrays) text(v *string) *string {
	if endpoint.Text(v) == "" {
		return nil
	}
	return point(&l.strings, 3*l.n, v)
}

func (d *decided) copyEndpoint(to *discoveryv1.Endpoint, item int32, l *arrays) {
	from := d.wanted.items[item].Endpoint
	to.Addresses = put(&l.strings, 3*l.n, from.Addresses...)
	if d.wanted.items[item].IP == 0 { // else it is canonical
		for i, a := range to.Addresses {
			to.Addresses[i] = endpoint.Canonical(a)
		}
	}
	to.Conditions.Ready = point(&l.bools, 3*l.n, from.Conditions.Ready)
	to.Conditions.Serving = point(&l.bools, 3*l.n, from.Conditions.Serving)
	to.Conditions.Terminating = point(&l.bools, 3*l.n, from.Conditions.Terminating)
	to.Hostname, to.NodeName, to.Zone = l.text(from.Hostname), l.text(from.NodeName), l.text(from.Zone)
	if to.TargetRef = point(&l.targets, l.n, from.TargetRef); to.TargetRef != nil {
		to.TargetRef.ResourceVersion = ""
	}
	to.Hints = l.copyHints(d.hints.of(item))
}

// copyHints returns nil for no hints.
func (l *arrays) copyHints(h hintsOfItem) *discoveryv1.EndpointHints {
	if len(h.given.ForZones)+len(h.given.ForNodes) == 0 && h.own == (hints.Hint{}) {
		return nil
	}
	to := &put(&l.hints, l.n, discoveryv1.EndpointHints{})[0]
	to.ForZones, to.ForNodes = put(&l.zones, l.n, h.given.ForZones...), put(&l.nodes, l.n, h.given.ForNodes...)
	if h.own.Zone != "" {
		to.ForZones = put(&l.zones, l.n, discoveryv1.ForZone{Name: h.own.Zone})
	}
	if h.own.Node != "" {
		to.ForNodes = put(&l.nodes, l.n, discoveryv1.ForNode{Name: h.own.Node})
	}
	return to
}
