package slicer

// dropSurplus takes out of slices that are written what they have too many: the last items in canonical order. How many
// may stay is a rule of package packing: see packing.Limits.Stay.
func dropSurplus(r *rules, w *wanted, h homes, l layout) layout {
	var crowded map[int32][]int32 // items at home, by slice
	for i := range l.slices {
		if o := &l.slices[i]; o.written && !r.fits(o.stay) {
			if crowded == nil {
				crowded = map[int32][]int32{}
			}
			crowded[int32(i)] = make([]int32, 0, o.stay)
		}
	}
	if crowded == nil {
		return l
	}
	for i := range h.items {
		if at := h.items[i].slice; at != none && crowded[at] != nil {
			crowded[at] = append(crowded[at], int32(i))
		}
	}
	for _, items := range crowded {
		w.ids.Sort(items)
		for _, i := range items[r.limits.Stay(len(items)):] {
			l.leave(i)
		}
	}
	return l
}

// fits reports whether so many endpoints may stay in one slice that is written.
func (r *rules) fits(homes int32) bool { return r.limits.Stay(int(homes)) == int(homes) }
