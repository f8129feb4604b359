package slicer

import (
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// place finds a place for every homeless item, one address type after the other. Package packing decides how many items
// each slice takes; deal and placePlaceholder say which.
func place(r *rules, w *wanted, x *present, l layout) layout {
	p := placing{r: r, w: w, x: x, homeless: homelessItems(w, l)}
	for t := range addressTypes {
		if x.types[t] {
			l = p.placeType(int32(t), l)
		}
	}
	for i := range l.slices {
		if l.slices[i].fate == idle { // nobody re-uses it
			l.remove(int32(i))
		}
	}
	return l
}

// placing is what the functions of place read.
type placing struct {
	r        *rules
	w        *wanted
	x        *present
	homeless [][]int32 // items, by group; nil when there are none
}

// homelessItems lists the items that need a place, by group; nil when there are none.
func homelessItems(w *wanted, l layout) (homeless [][]int32) {
	for i, at := range l.places {
		if at == none {
			if homeless == nil {
				homeless = make([][]int32, len(w.groups))
			}
			g := w.items[i].Group
			homeless[g] = append(homeless[g], int32(i))
		}
	}
	return homeless
}

// placeType places the homeless items of an address type.
func (p *placing) placeType(t int32, l layout) layout {
	if !p.w.accepts(t) {
		return placePlaceholder(p.r, p.x, l, t)
	}
	if p.homeless != nil || p.r.options.Packing == Compact {
		c := newTypeProblem(p.r.limits, t, p.w, p.x, l, p.homeless)
		homeless := p.homeless
		if p.r.options.Packing == Compact {
			c, l, homeless = p.join(c, l, homeless)
		}
		deals := packing.Place(c.Problem, func() []packing.Overlap { return p.overlaps(c, l) })
		l = p.deal(c, deals, l, homeless)
	}
	return l
}

// accepts reports whether an address type has endpoints.
func (w *wanted) accepts(t int32) bool {
	for _, g := range w.order {
		if w.groups[g].Type == t && w.groups[g].Count > 0 {
			return true
		}
	}
	return false
}
