package slicer

// contents lists the items of a place that is written or created, in canonical order; nil for one that holds none.
func (p *planner) contents(place int32) []int32 {
	if p.listed == nil {
		p.list()
	}
	return p.listed[place]
}

// list sorts the items of all such places.
func (p *planner) list() {
	p.listed = map[int32][]int32{}
	for i := range p.items {
		place := p.items[i].slice
		if place == none || place < createBase && !p.slices[place].written() {
			continue
		}
		list := p.listed[place]
		if list == nil {
			list = make([]int32, 0, p.size(place))
		}
		p.listed[place] = append(list, int32(i))
	}
	for _, list := range p.listed {
		p.sortItems(list)
	}
}

// size is the number of endpoints that a place will hold.
func (p *planner) size(place int32) int32 {
	if place >= createBase {
		return p.creates[place-createBase].added
	}
	return p.slices[place].homes + p.slices[place].added
}
