package slicer

import "github.com/slicewright/slicewright/slicer/internal/packing"

// create is a slice to be made.
type create struct {
	group int32 // or none for a placeholder
	typ   int32
	added int32
}

// Places of items: none, an index into planner.slices, or, from createBase on, an index into planner.creates.
const createBase = 1 << 30

// place decides where every endpoint goes. First it is said who stays at home; then package packing finds places for the
// others, one address type after the other.
func (p *planner) place() {
	for i := range p.items {
		p.items[i].slice = p.items[i].home
	}
	p.dropSurplus()
	p.reassignPorts()
	homeless := homelessItems(p.items, len(p.groups))
	extra := p.in.Options.ExtraWrites
	for t := range addressTypes {
		if p.types[t] {
			extra -= p.placeType(int32(t), homeless, extra)
		}
	}
}

// homelessItems lists the items that need a place, by group; nil when there are none.
func homelessItems(items []item, groups int) (homeless [][]int32) {
	for i := range items {
		if it := &items[i]; it.slice == none {
			if homeless == nil {
				homeless = make([][]int32, groups)
			}
			homeless[it.group] = append(homeless[it.group], int32(i))
		}
	}
	return homeless
}

// placeType places the homeless items of an address type, and returns how many of the extra writes that took.
func (p *planner) placeType(t int32, homeless [][]int32, extra int) (spent int) {
	if !p.accepts(t) {
		p.placePlaceholder(t)
		return 0
	}
	if homeless != nil || p.in.Options.Packing == Compact {
		problem := newTypeProblem(p.limits, t, p.order, p.groups, p.slices, homeless)
		if p.in.Options.Packing == Compact {
			problem, homeless, spent = p.join(problem, homeless, extra)
		}
		deals := packing.Place(problem.Problem, func() []packing.Overlap { return p.overlaps(problem) })
		p.deal(problem, deals, homeless)
	}
	p.finishType(t)
	return spent
}

// accepts reports whether an address type has endpoints.
func (p *planner) accepts(t int32) bool {
	for _, g := range p.order {
		if p.groups[g].typ == t && p.groups[g].count > 0 {
			return true
		}
	}
	return false
}

// finishType deletes the idle slices that nobody re-uses, and leaves alone the clean ones that got nothing.
func (p *planner) finishType(t int32) {
	for i := range p.slices {
		s := &p.slices[i]
		if s.typ != t {
			continue
		}
		if s.fate == free {
			s.fate = deleted
			s.reasons.add(NothingLeft)
		}
		if s.reasons == 1<<Compacted && s.added == 0 {
			s.reasons = 0
		}
	}
}
