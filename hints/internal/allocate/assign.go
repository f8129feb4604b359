package allocate

import "slices"

// assign returns the zones that each endpoint is to serve. An endpoint keeps the zones that it
// serves already, if a group of the plan has the same home and the same zones, and is not used up.
// If a group is too small for all such endpoints, those that are not free come first, because a
// free endpoint may change at no cost. Afterwards all groups of the plan are empty.
func (p *plan) assign() [][]int {
	zones := make([][]int, len(p.Home))
	for _, free := range []bool{false, true} {
		for _, e := range p.order {
			if p.Free[e] == free && p.Prior[e] != nil {
				p.keep(zones, e)
			}
		}
	}
	left := make([][]int, len(p.Weights)+1) // left[z-Nowhere] are the groups whose home is z
	for i, g := range p.groups {
		left[g.home-Nowhere] = append(left[g.home-Nowhere], i)
	}
	for _, e := range p.order {
		if zones[e] != nil {
			continue
		}
		list := left[p.Home[e]-Nowhere]
		for p.groups[list[0]].count == 0 {
			list = list[1:]
		}
		p.take(zones, e, list[0])
		left[p.Home[e]-Nowhere] = list
	}
	return zones
}

// keep gives an endpoint the zones that it serves already, if a group of the plan has them.
func (p *plan) keep(zones [][]int, e int) {
	var found []int
	for _, free := range []bool{false, true} {
		if i, ok := p.find(group{home: p.Home[e], zones: p.Prior[e], free: free}); ok && p.groups[i].count > 0 {
			found = append(found, i)
		}
	}
	if len(found) > 0 {
		p.take(zones, e, slices.Min(found)) // if two groups have these zones, the first one is used, as in assign
	}
}

// take gives an endpoint the zones of a group.
func (p *plan) take(zones [][]int, e, number int) {
	zones[e] = p.groups[number].zones
	p.groups[number].count--
}
