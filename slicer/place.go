package slicer

import (
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// assign finds a place for every unassigned item, one address type after the other. Package packing decides how many items
// each slice takes; deal and placePlaceholder say which.
func assign(r *rules, w *wanted, x *present, l *layout) {
	p := placing{r: r, w: w, x: x, unassigned: unassignedItems(w, l)}
	for t := range endpoint.AddressTypes {
		if x.types[t] {
			p.placeType(int32(t), l)
		}
	}
	for i := range l.slices {
		if l.slices[i].outcome == idle { // nobody re-uses it
			l.slices[i].outcome = deleted
		}
	}
}

// placing is what the functions of assign read.
type placing struct {
	r          *rules
	w          *wanted
	x          *present
	unassigned [][]int32 // items, by group; nil when there are none
}

// unassignedItems lists the items that need a place, by group; nil when there are none.
func unassignedItems(w *wanted, l *layout) (unassigned [][]int32) {
	for i, at := range l.places {
		if at == nowhere {
			if unassigned == nil {
				unassigned = make([][]int32, len(w.groups))
			}
			g := w.items[i].Group
			unassigned[g] = append(unassigned[g], int32(i))
		}
	}
	return unassigned
}

// placeType places the unassigned items of an address type.
func (p *placing) placeType(t int32, l *layout) {
	if !p.w.accepts(t) {
		placePlaceholder(p.r, p.x, l, t)
		return
	}
	if p.unassigned == nil && p.r.options.Packing != Compact {
		return
	}
	c := p.problem(t, l)
	if p.r.options.Packing == Compact {
		p.join(&c, l)
	}
	for g, d := range packing.Place(c.Problem, func() []packing.Overlap { return p.overlaps(c, l) }) {
		if c.Groups[g].Unassigned > 0 {
			p.deal(c, int32(g), d, l)
		}
	}
}

// accepts reports whether an address type has endpoints.
func (w *wanted) accepts(t int32) bool {
	for g := range w.groups {
		if w.groups[g].Type == t && w.groups[g].Count > 0 {
			return true
		}
	}
	return false
}

// deal puts the unassigned items of a group where the deal says, in canonical order. What finds no place, because nothing can
// be created, keeps none. Re-used slices first take back the endpoints that they hold, so that these change their ports in one
// write (G6).
func (p *placing) deal(c typeProblem, g int32, d packing.Deal, l *layout) {
	items := p.unassigned[g]
	p.w.ids.Sort(items)
	for _, n := range d.Reused {
		p.reuse(g, c.slices[n], l)
	}
	next := 0
	fill := func(to place, room int) {
		for ; room > 0 && next < len(items); next++ {
			if l.places[items[next]] == nowhere {
				l.put(items[next], to)
				room--
			}
		}
	}
	for _, list := range [...][]int{d.Written, d.Opened, d.Reused} {
		for _, n := range list {
			o := &l.slices[c.slices[n]]
			fill(place(c.slices[n]), p.r.limits.Max-int(o.stay+o.taken))
		}
	}
	for range d.Created {
		fill(l.create(g, p.w.groups[g].Type), p.r.limits.Max)
	}
}

// reuse gives an idle slice to a group, with those of the endpoints it holds that the group has to place, up to the
// maximum.
func (p *placing) reuse(g, index int32, l *layout) {
	l.reuse(index, g)
	var back []int32
	seen := map[int32]bool{none: true}
	for _, at := range p.w.ids.Identify(p.x.slices[index].object.Endpoints, g) {
		if !seen[at.Item] && l.places[at.Item] == nowhere {
			seen[at.Item] = true
			back = append(back, at.Item)
		}
	}
	if len(back) > p.r.limits.Max {
		p.w.ids.Sort(back)
		back = back[:p.r.limits.Max]
	}
	for _, i := range back {
		l.put(i, place(index))
	}
}
