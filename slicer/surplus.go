package slicer

// fits reports whether all endpoints at home in a slice may stay there when it is written.
func (p *planner) fits(s *slice) bool { return p.limits.Stay(int(s.homes)) == int(s.homes) }

// dropSurplus lets endpoints leave slices that are written and hold too many. packing.Limits.Stay says how many stay: the
// first ones in canonical order.
func (p *planner) dropSurplus() {
	crowded := map[int32][]int32{} // the items at home in such slices
	for i := range p.slices {
		if s := &p.slices[i]; s.reasons != 0 && !p.fits(s) {
			crowded[int32(i)] = make([]int32, 0, s.homes)
		}
	}
	if len(crowded) == 0 {
		return
	}
	for i := range p.items {
		if home := p.items[i].home; home != none && crowded[home] != nil {
			crowded[home] = append(crowded[home], int32(i))
		}
	}
	for index, items := range crowded {
		p.sortItems(items)
		s, stay := &p.slices[index], p.limits.Stay(len(items))
		for _, i := range items[stay:] {
			p.items[i].slice = none
		}
		s.homes = int32(stay)
		s.reasons.add(OversizeSplit)
	}
}
