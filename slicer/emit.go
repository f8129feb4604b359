package slicer

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// emitter turns a placement into a plan. It changes nothing in it, and the plan does not point into it.
type emitter struct {
	*placement
	triggers triggers
	compared []comparedEndpoint // memory of compare
}

// write makes the plan: creates, updates in an order that is safe to interrupt, deletes by name, and what is left alone.
func write(p *placement) Plan {
	e := emitter{placement: p, triggers: triggersOf(p)}
	plan := Plan{Ignored: p.present.ignored, Skips: p.skips(), Hints: p.decisions, max: p.in.limits.Max}
	if len(p.created()) > 0 {
		plan.prefix = meta.Prefix(p.in.Set.Name, p.in.Set.NamePrefix)
	}
	plan.Steps = e.createSteps(plan.prefix)
	plan.Steps = append(plan.Steps, e.updateSteps()...)
	plan.Steps = append(plan.Steps, e.deleteSteps()...)
	for n := range p.live() {
		if s := &p.slices[n]; !s.changes() {
			if plan.Unchanged == nil {
				plan.Unchanged = make([]*discoveryv1.EndpointSlice, 0, len(p.live()))
			}
			plan.Unchanged = append(plan.Unchanged, s.object)
		}
	}
	return plan
}

func (e *emitter) createSteps(prefix string) []Step {
	if len(e.created()) == 0 {
		return nil
	}
	var steps []Step
	nameFor := meta.Namer(prefix, e.in.meta.Key, e.in.existing)
	for n := range e.created() {
		s := &e.created()[n]
		object := &discoveryv1.EndpointSlice{AddressType: endpoint.AddressTypes[s.typ]}
		object.Namespace = e.in.Set.Namespace
		if e.in.Options.GeneratedNames {
			object.GenerateName = prefix
		} else {
			object.Name = nameFor(object.AddressType)
		}
		e.build(object, s)
		step := Step{Verb: Create, New: object, Added: len(s.items), Reasons: []Reason{EndpointsAdded}}
		if s.outcome == emptied {
			step.Reasons = []Reason{PlaceholderWanted}
		}
		steps = append(steps, step)
	}
	return steps
}

func (e *emitter) updateSteps() []Step {
	var steps []Step
	for _, n := range updateOrder(e.placement) {
		old := e.slices[n].object
		object := &discoveryv1.EndpointSlice{AddressType: old.AddressType}
		e.in.meta.CopyTo(&object.ObjectMeta, &old.ObjectMeta)
		e.build(object, &e.slices[n])
		step := Step{Verb: Update, Old: old, New: object}
		e.explain(&step, n)
		steps = append(steps, step)
	}
	return steps
}

func (e *emitter) deleteSteps() []Step {
	var steps []Step
	add := func(old *discoveryv1.EndpointSlice, why ...Reason) {
		steps = append(steps, Step{Verb: Delete, Old: old, Reasons: why, Removed: len(old.Endpoints)})
	}
	for _, old := range e.present.stale {
		add(old, OwnerStale)
	}
	for n := range e.live() {
		switch s := &e.slices[n]; {
		case s.outcome != deleted:
		case s.typ == none:
			add(s.object, AddressTypeGone)
		case s.compacted: // and dissolved: one that stays clean is not deleted
			add(s.object, Dissolved, Compacted)
		case s.dissolved:
			add(s.object, Dissolved)
		default:
			add(s.object, NothingLeft)
		}
	}
	slices.SortFunc(steps, func(a, b Step) int { return byName(a.Old, b.Old) })
	return steps
}

// build fills in all of an object that is to be written but its name. It copies every leaf into arrays that the object
// has for itself, one for each kind, so that a caller may change one planned object without another. One array for each
// endpoint would make a plan with one changed Pod a third slower.
func (e *emitter) build(object *discoveryv1.EndpointSlice, s *placedSlice) {
	e.in.meta.Apply(&object.ObjectMeta, e.triggers.of(s.items))
	object.Endpoints = make([]discoveryv1.Endpoint, len(s.items))
	if s.newPorts == none {
		object.Ports = []discoveryv1.EndpointPort{}
		return
	}
	object.Ports = endpoint.APIPorts(e.wanted.portSets[s.newPorts].ports)
	into := &arrays{n: len(s.items)}
	for j, i := range s.items {
		into.copyItem(&object.Endpoints[j], &e.items[i].item)
		object.Endpoints[j].Hints = into.copyHints(e.hintsOf(i))
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

// put copies values to the end of an array. An array without room for them is left to the endpoints that point into it,
// and a new one is made, at least of the given size.
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

// copyItem copies the endpoint of an item, without hints.
func (l *arrays) copyItem(to *discoveryv1.Endpoint, it *item) {
	from := it.endpoint
	to.Addresses = put(&l.strings, 3*l.n, from.Addresses...)
	if it.ip == 0 { // else it is canonical
		for i, a := range to.Addresses {
			to.Addresses[i] = endpoint.Canonical(a)
		}
	}
	to.Conditions.Ready = point(&l.bools, 3*l.n, from.Conditions.Ready)
	to.Conditions.Serving = point(&l.bools, 3*l.n, from.Conditions.Serving)
	to.Conditions.Terminating = point(&l.bools, 3*l.n, from.Conditions.Terminating)
	to.Hostname = l.text(from.Hostname)
	to.NodeName = l.text(from.NodeName)
	to.Zone = l.text(from.Zone)
	if to.TargetRef = point(&l.targets, l.n, from.TargetRef); to.TargetRef != nil {
		to.TargetRef.ResourceVersion = ""
	}
}

// copyHints returns nil for no hints.
func (l *arrays) copyHints(h itemHints) *discoveryv1.EndpointHints {
	if len(h.given.ForZones)+len(h.given.ForNodes) == 0 && h.own == (hints.Hint{}) {
		return nil
	}
	to := &put(&l.hints, l.n, discoveryv1.EndpointHints{})[0]
	to.ForZones = put(&l.zones, l.n, h.given.ForZones...)
	to.ForNodes = put(&l.nodes, l.n, h.given.ForNodes...)
	if h.own.Zone != "" {
		to.ForZones = put(&l.zones, l.n, discoveryv1.ForZone{Name: h.own.Zone})
	}
	if h.own.Node != "" {
		to.ForNodes = put(&l.nodes, l.n, discoveryv1.ForNode{Name: h.own.Node})
	}
	return to
}
