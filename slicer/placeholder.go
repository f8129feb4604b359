package slicer

import "github.com/slicewright/slicewright/slicer/internal/meta"

// placePlaceholder leaves an address type without endpoints with one empty slice, or with none (G13). Of our slices the
// one that is an empty slice already stays, else the one that is nearest to it.
func placePlaceholder(r *rules, x *present, l *layout, t int32) {
	keep := int32(none)
	for i := range x.slices {
		if x.slices[i].typ != t {
			continue
		}
		l.slices[i].outcome = deleted
		if !r.options.NoPlaceholder && (keep == none || nearerPlaceholder(&x.slices[i], &x.slices[keep])) {
			keep = int32(i)
		}
	}
	switch {
	case keep != none:
		l.empty(keep, &x.slices[keep])
	case !r.options.NoPlaceholder && !r.limits.NoCreates:
		l.create(none, t)
	}
}

// nearerPlaceholder reports whether a slice is more like an empty slice than another one.
func nearerPlaceholder(a, b *liveSlice) bool {
	distance := func(s *liveSlice) int {
		d := 0
		if s.drift != (meta.Drift{}) {
			d++
		}
		if len(s.object.Ports) > 0 {
			d += 2
		}
		if len(s.object.Endpoints) > 0 {
			d += 4
		}
		return d
	}
	return distance(a) < distance(b)
}
