package slicer

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// emit turns the decisions into the plan's steps: creates, updates in their safe order, deletes by name.
func (p *planner) emit() {
	p.emitCreates()
	p.emitUpdates()
	p.emitDeletes()
	for i := range p.slices {
		if s := &p.slices[i]; s.reasons == 0 {
			if p.plan.Unchanged == nil {
				p.plan.Unchanged = make([]*discoveryv1.EndpointSlice, 0, len(p.slices))
			}
			p.plan.Unchanged = append(p.plan.Unchanged, s.object)
		}
	}
	slices.SortFunc(p.plan.Unchanged, byName)
}

func byName(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) }

func (s *slice) written() bool { return s.reasons != 0 && s.fate != deleted }

func (p *planner) emitCreates() {
	var names *namer
	if len(p.creates) > 0 && !p.in.Options.GeneratedNames {
		names = p.newNamer()
	}
	for i := range p.creates {
		c := &p.creates[i]
		object := &discoveryv1.EndpointSlice{AddressType: addressTypes[c.typ]}
		object.Namespace = p.in.Set.Namespace
		if names != nil {
			object.Name = names.name(c.typ)
		} else {
			object.GenerateName = p.plan.prefix
		}
		step := Step{Verb: Create, New: object, Added: int(c.added)}
		if c.group == none {
			step.Reasons = []Reason{PlaceholderWanted}
		} else {
			step.Reasons = []Reason{EndpointsAdded}
		}
		p.build(object, c.group, p.contents(createBase+int32(i)))
		p.plan.Steps = append(p.plan.Steps, step)
	}
}

func (p *planner) emitUpdates() {
	for _, i := range p.updateOrder() {
		s := &p.slices[i]
		object := &discoveryv1.EndpointSlice{AddressType: s.object.AddressType}
		p.meta.copyTo(&object.ObjectMeta, &s.object.ObjectMeta)
		p.build(object, s.group, p.contents(i))
		step := Step{Verb: Update, Old: s.object, New: object}
		p.explain(&step, i)
		p.plan.Steps = append(p.plan.Steps, step)
	}
}

func (p *planner) emitDeletes() {
	first := len(p.plan.Steps)
	add := func(old *discoveryv1.EndpointSlice, why ...Reason) {
		p.plan.Steps = append(p.plan.Steps, Step{Verb: Delete, Old: old, Reasons: why, Removed: len(old.Endpoints)})
	}
	for _, old := range p.stale {
		add(old, OwnerStale)
	}
	for i := range p.slices {
		switch s := &p.slices[i]; {
		case s.fate != deleted:
		case s.typ == none:
			add(s.object, AddressTypeGone)
		case s.reasons.has(Dissolved):
			add(s.object, (s.reasons & (1<<Dissolved | 1<<Compacted)).list()...)
		default:
			add(s.object, NothingLeft)
		}
	}
	slices.SortFunc(p.plan.Steps[first:], func(a, b Step) int { return byName(a.Old, b.Old) })
}
