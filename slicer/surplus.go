package slicer

import "slices"

// dropSurplus takes out of slices that are written what they have too many: the last items in canonical order. How many
// may stay is a rule of package packing: see packing.Limits.Stay.
func dropSurplus(r *rules, w *wanted, h *homes, l *layout) {
	holdsMore := func(o planned) bool { return o.written && !r.fits(o.stay) }
	if !slices.ContainsFunc(l.slices, holdsMore) {
		return
	}
	overMax := map[int32][]int32{} // items at home, by slice
	for i := range h.items {
		if at := h.items[i].slice; at != none && holdsMore(l.slices[at]) {
			overMax[at] = append(overMax[at], int32(i))
		}
	}
	for _, items := range overMax {
		w.ids.Sort(items)
		for _, i := range items[r.limits.Stay(len(items)):] {
			l.leave(i)
		}
	}
}

// fits reports whether so many endpoints may stay in one slice that is written.
func (r *rules) fits(homes int32) bool { return r.limits.Stay(int(homes)) == int(homes) }

// splits are the slices above the maximum that must come down to it because their hints have to change. A set of splits only
// grows, and once a slice is in it, the slice is written with at most the maximum: so hints ask for each slice once.
type splits struct {
	slices []bool // of each live slice; nil: none
	rounds int
}

// with adds overMax of so many live slices. From the second time on it adds all, so that hints which move on from one slice to
// the next cost three rounds and not one for each slice.
func (s splits) with(overMax []int32, live int) splits {
	grown := splits{make([]bool, live), s.rounds + 1}
	for i := range grown.slices {
		grown.slices[i] = s.rounds > 0
	}
	for _, i := range overMax {
		grown.slices[i] = true
	}
	return grown
}

func (s splits) has(slice int32) bool { return s.slices != nil && s.slices[slice] }
