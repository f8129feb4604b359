package slicer

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// emission is what emit reads: everything that the stages before it decided. Nothing of a plan points into it.
type emission struct {
	*memory
	existing []*discoveryv1.EndpointSlice
	hints    decisions
	triggers triggers
	compared []compared // of the last slice that was explained
}

// emit turns the decisions into the plan: creates, updates in their safe order, deletes by name, and what is left alone.
func emit(e emission) Plan {
	plan := Plan{
		Ignored: e.present.ignored, Skips: e.skips(), Hints: e.hints.made, max: e.rules.layout.Max,
	}
	if len(e.layout.Creates) > 0 {
		plan.prefix = meta.Prefix(e.input.Set.Name, e.input.Set.NamePrefix)
	}
	e.triggers = triggersOf(&e.input, &e.wanted, &e.present, &e.homes, &e.layout)
	plan.Steps = e.creates(plan.prefix)
	plan.Steps = append(plan.Steps, e.updates()...)
	plan.Steps = append(plan.Steps, e.deletes()...)
	for i := range e.layout.Slices {
		if o := &e.layout.Slices[i]; !o.Written && o.Outcome != layout.Deleted {
			if plan.Unchanged == nil {
				plan.Unchanged = make([]*discoveryv1.EndpointSlice, 0, len(e.layout.Slices))
			}
			plan.Unchanged = append(plan.Unchanged, e.present.slices[i].object)
		}
	}
	return plan
}

func byName(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }

func (e *emission) creates(prefix string) []Step {
	var steps []Step
	var names *meta.Namer
	if len(e.layout.Creates) > 0 && !e.input.Options.GeneratedNames {
		names = meta.NewNamer(prefix, e.rules.meta.Key, e.existing)
	}
	for i := range e.layout.Creates {
		c := &e.layout.Creates[i]
		object := &discoveryv1.EndpointSlice{AddressType: endpoint.AddressTypes[c.Class]}
		object.Namespace = e.input.Set.Namespace
		if names != nil {
			object.Name = names.Name(endpoint.AddressTypes[c.Class])
		} else {
			object.GenerateName = prefix
		}
		items := e.layout.Contents(layout.Created(i))
		e.build(object, c.Group, items)
		step := Step{Verb: Create, New: object, Added: len(items), Reasons: []Reason{EndpointsAdded}}
		if c.Group == none {
			step.Reasons = []Reason{PlaceholderWanted}
		}
		steps = append(steps, step)
	}
	return steps
}

func (e *emission) updates() []Step {
	var steps []Step
	for _, i := range e.updateOrder() {
		old := e.present.slices[i].object
		object := &discoveryv1.EndpointSlice{AddressType: old.AddressType}
		e.rules.meta.CopyTo(&object.ObjectMeta, &old.ObjectMeta)
		e.build(object, e.layout.Slices[i].Group, e.layout.Contents(layout.Place(i)))
		step := Step{Verb: Update, Old: old, New: object}
		e.explain(&step, i)
		steps = append(steps, step)
	}
	return steps
}

func (e *emission) deletes() []Step {
	var steps []Step
	add := func(old *discoveryv1.EndpointSlice, why ...Reason) {
		steps = append(steps, Step{Verb: Delete, Old: old, Reasons: why, Removed: len(old.Endpoints)})
	}
	for _, old := range e.present.stale {
		add(old, OwnerStale)
	}
	for i := range e.layout.Slices {
		s, o := &e.present.slices[i], &e.layout.Slices[i]
		switch {
		case o.Outcome != layout.Deleted:
		case s.typ == none:
			add(s.object, AddressTypeGone)
		case o.Compacted: // and dissolved: one that stays clean is not deleted
			add(s.object, Dissolved, Compacted)
		case o.Dissolved:
			add(s.object, Dissolved)
		default:
			add(s.object, NothingLeft)
		}
	}
	slices.SortFunc(steps, func(a, b Step) int { return byName(a.Old, b.Old) })
	return steps
}
