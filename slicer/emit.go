package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// emitter turns a placement into a plan. It does not change the placement, and the plan shares no
// memory with it.
type emitter struct {
	*placement
	triggers triggers
	compared []comparedEndpoint // memory of compare
}

// planOf returns the plan: the creates, the updates in an order that is safe to interrupt, the deletes
// in the order of names, and the slices that are not written.
func planOf(p *placement) Plan {
	e := emitter{placement: p, triggers: triggersOf(p)}
	plan := Plan{
		Ignored: p.present.ignored, Normal: p.normal(), Retry: p.req.Retry, Hints: p.decisions, max: p.req.limits.Max,
	}
	plan.Steps = e.createSteps()
	plan.Steps = append(plan.Steps, e.updateSteps()...)
	plan.Steps = append(plan.Steps, e.deleteSteps()...)
	for n := range p.live() {
		if s := &p.slices[n]; s.unchanged() {
			if plan.Unchanged == nil {
				plan.Unchanged = make([]*discoveryv1.EndpointSlice, 0, len(p.live()))
			}
			plan.Unchanged = append(plan.Unchanged, s.object)
		}
	}
	plan.Warnings = p.warnings(&plan)
	return plan
}

func (e *emitter) createSteps() []Step {
	if len(e.created()) == 0 {
		return nil
	}
	var steps []Step
	nameFor := meta.Namer(e.req.prefix(), e.req.meta.Key, e.req.existing)
	for n := range e.created() {
		s := &e.created()[n]
		object := &discoveryv1.EndpointSlice{AddressType: endpoint.AddressTypes[s.typ]}
		object.Namespace = e.req.Key.Namespace
		object.Name = nameFor(object.AddressType)
		e.build(object, s)
		step := Step{Verb: Create, New: object, Added: len(s.items), Reasons: []string{"EndpointsAdded"}}
		if s.outcome == placeholder {
			step.Reasons = []string{"PlaceholderWanted"}
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
		e.req.meta.CopyTo(&object.ObjectMeta, &old.ObjectMeta)
		e.build(object, &e.slices[n])
		step := Step{Verb: Update, Old: old, New: object}
		e.explain(&step, int32(n))
		steps = append(steps, step)
	}
	return steps
}

func (e *emitter) deleteSteps() []Step {
	var steps []Step
	for _, old := range e.present.stale {
		steps = append(steps, deletion(old, "OwnerStale"))
	}
	for n := range e.live() {
		switch s := &e.slices[n]; {
		case s.outcome != deleted:
		case s.typ == none:
			steps = append(steps, deletion(s.object, "AddressTypeGone"))
		case s.dissolved:
			steps = append(steps, deletion(s.object, "Compacted"))
		default:
			steps = append(steps, deletion(s.object, "NothingLeft"))
		}
	}
	slices.SortFunc(steps, func(a, b Step) int { return byName(a.Old, b.Old) })
	return steps
}

// build sets every field of an object that is to be written, except its name. The object shares no
// memory with anything else.
func (e *emitter) build(object *discoveryv1.EndpointSlice, s *placedSlice) {
	e.req.meta.Apply(&object.ObjectMeta, e.triggers.of(s.items))
	object.Endpoints = make([]discoveryv1.Endpoint, len(s.items))
	if s.portsAfter == none {
		object.Ports = []discoveryv1.EndpointPort{}
		return
	}
	object.Ports = endpoint.APIPorts(e.wanted.portSets[s.portsAfter].ports)
	copies := endpoint.CopiesOf(len(s.items))
	for j, i := range s.items {
		it, to := &e.items[i], &object.Endpoints[j]
		copies.Put(to, it.endpoint, it.ip != 0) // if ip is not 0, the address is canonical
		gets := e.hintsOf(i)
		to.Hints = copies.Hints(gets.given, gets.own.Zone, gets.own.Node)
	}
}
