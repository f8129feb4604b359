package allocate

import "slices"

// assign returns the zones of every endpoint: those that it serves already, if the plan has them
// for one in its zone. Of endpoints that cannot all keep theirs, the free ones change. It uses up
// the plan.
func (p *plan) assign() [][]int {
	zones := make([][]int, len(p.Home))
	for _, free := range []bool{false, true} {
		for _, e := range p.order {
			if p.Free[e] == free && p.Prior[e] != nil {
				p.keep(zones, e)
			}
		}
	}
	left := make([][]int, len(p.Weights)+1) // by zone, and Nowhere before the first one: its crews
	for i, c := range p.crews {
		left[c.home-Nowhere] = append(left[c.home-Nowhere], i)
	}
	for _, e := range p.order {
		if zones[e] != nil {
			continue
		}
		list := left[p.Home[e]-Nowhere]
		for p.crews[list[0]].count == 0 {
			list = list[1:]
		}
		p.take(zones, e, list[0])
		left[p.Home[e]-Nowhere] = list
	}
	return zones
}

// keep gives an endpoint the zones that it serves already, if a crew of the plan has them.
func (p *plan) keep(zones [][]int, e int) {
	var found []int
	for _, free := range []bool{false, true} {
		if i, ok := p.find(crew{home: p.Home[e], zones: p.Prior[e], free: free}); ok && p.crews[i].count > 0 {
			found = append(found, i)
		}
	}
	if len(found) > 0 {
		p.take(zones, e, slices.Min(found))
	}
}

// take gives an endpoint the zones of a crew.
func (p *plan) take(zones [][]int, e, number int) {
	zones[e] = p.crews[number].zones
	p.crews[number].count--
}
