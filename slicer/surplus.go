package slicer

// dropSurplus takes out of slices that are written what they have too many: the last items in canonical order. How many
// may stay is a rule of package packing: see packing.Limits.Stay.
func dropSurplus(r *rules, w *wanted, h *homes, l *layout) {
	var overMax map[int32][]int32 // items at home, by slice
	for i := range l.slices {
		if o := &l.slices[i]; o.written && !r.fits(o.stay) {
			if overMax == nil {
				overMax = map[int32][]int32{}
			}
			overMax[int32(i)] = make([]int32, 0, o.stay)
		}
	}
	if overMax == nil {
		return
	}
	for i := range h.items {
		if at := h.items[i].slice; at != none && overMax[at] != nil {
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

// with adds overMax slices. From the second time on it adds all of their address types, so that hints which move on from one
// slice to the next cost three rounds and not one for each slice.
func (s splits) with(overMax []int32, live []liveSlice) splits {
	grown := make([]bool, len(live))
	copy(grown, s.slices)
	var types typeSet
	for _, i := range overMax {
		grown[i] = true
		types[live[i].typ] = true
	}
	if s.rounds > 0 {
		for i := range live {
			if t := live[i].typ; t != none && types[t] {
				grown[i] = true
			}
		}
	}
	return splits{grown, s.rounds + 1}
}

func (s splits) has(slice int) bool { return s.slices != nil && s.slices[slice] }
