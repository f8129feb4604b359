package slicer

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/internal/meta"
)

// emission is what emit reads: everything that the stages before it decided.
type emission struct {
	in       *Input
	existing []*discoveryv1.EndpointSlice
	r        *rules
	w        *wanted
	x        *present
	h        homes
	l        layout
	c        contents
	d        decisions

	triggers triggers
	compared []compared // of the last slice that was explained
}

// emit turns the decisions into the plan: creates, updates in their safe order, deletes by name, and what is left alone.
func emit(e emission) Plan {
	plan := Plan{
		Ignored: e.x.ignored, Skips: e.skips(), Hints: e.d.made,
		prefix: meta.Prefix(e.in.Set.Name, e.in.Set.NamePrefix), max: e.r.limits.Max,
	}
	e.triggers = triggersOf(e.in, e.w, e.x, e.h, e.l)
	plan.Steps = e.creates(plan.prefix)
	plan.Steps = append(plan.Steps, e.updates()...)
	plan.Steps = append(plan.Steps, e.deletes()...)
	for i := range e.l.slices {
		if o := &e.l.slices[i]; !o.written && o.fate != deleted {
			if plan.Unchanged == nil {
				plan.Unchanged = make([]*discoveryv1.EndpointSlice, 0, len(e.l.slices))
			}
			plan.Unchanged = append(plan.Unchanged, e.x.slices[i].object)
		}
	}
	slices.SortFunc(plan.Unchanged, byName)
	return plan
}

func byName(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }

func (e *emission) creates(prefix string) []Step {
	var steps []Step
	var names *meta.Namer
	if len(e.l.creates) > 0 && !e.in.Options.GeneratedNames {
		names = meta.NewNamer(prefix, e.r.meta.Key, e.existing)
	}
	for i := range e.l.creates {
		c := &e.l.creates[i]
		object := &discoveryv1.EndpointSlice{AddressType: addressTypes[c.typ]}
		object.Namespace = e.in.Set.Namespace
		if names != nil {
			object.Name = names.Name(addressTypes[c.typ])
		} else {
			object.GenerateName = prefix
		}
		items := e.c.of(createBase + int32(i))
		e.build(object, c.group, items)
		step := Step{Verb: Create, New: object, Added: len(items), Reasons: []Reason{EndpointsAdded}}
		if c.group == none {
			step.Reasons = []Reason{PlaceholderWanted}
		}
		steps = append(steps, step)
	}
	return steps
}

func (e *emission) updates() []Step {
	var steps []Step
	for _, i := range e.updateOrder() {
		old := e.x.slices[i].object
		object := &discoveryv1.EndpointSlice{AddressType: old.AddressType}
		e.r.meta.CopyTo(&object.ObjectMeta, &old.ObjectMeta)
		e.build(object, e.l.slices[i].group, e.c.of(i))
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
	for _, old := range e.x.stale {
		add(old, OwnerStale)
	}
	for i := range e.l.slices {
		s, o := &e.x.slices[i], &e.l.slices[i]
		switch {
		case o.fate != deleted:
		case s.typ == none:
			add(s.object, AddressTypeGone)
		case o.compacted: // and dissolved: one that stays clean is not deleted
			add(s.object, Dissolved, Compacted)
		case o.dissolved:
			add(s.object, Dissolved)
		default:
			add(s.object, NothingLeft)
		}
	}
	slices.SortFunc(steps, func(a, b Step) int { return byName(a.Old, b.Old) })
	return steps
}
