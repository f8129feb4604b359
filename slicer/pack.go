package slicer

// create is a slice to be made.
type create struct {
	group int32 // or none for a placeholder
	typ   int32
	added int32
}

// Places of items: none, an index into planner.slices, or, from createBase on, an index into planner.creates.
const createBase = 1 << 30

// pack decides where every endpoint goes. Its steps, for the slices of one group with a maximum of 4, where letters are
// endpoints at home, - are free places and * marks a slice that is written anyway:
//
//	*[a b - -]  [c d e -]  [f - - -]   place g:          *[a b g -]  [c d e -]  [f - - -]   a written slice has room
//	 [a b - -]  [c d e -]  [f - - -]   place g h i:       [a b - -]  [c d e -] *[f g h i]   the fullest that takes them all
//	 [a b - -]  [c d - -]              place g h i:       [a b - -]  [c d - -]  +[g h i -]  one create beats two updates
//	*[- - - -]  [c d e -]              place g:          *[g - - -]  [c d e -]              what must be written is re-used
func (p *planner) pack() {
	p.extra = min(p.in.Options.ExtraWrites, len(p.slices))
	p.stable = p.max * p.in.Options.DissolveUpTo / 100
	if p.in.Options.DissolveUpTo == 0 {
		p.stable = p.max
	}
	p.findSurplus()
	p.adoptOrphans()
	p.makeAll()
	byGroup := p.slicesByGroup()
	for i := range p.items {
		if it := &p.items[i]; it.slice == none {
			g := &p.groups[it.group]
			g.items = append(g.items, int32(i))
		}
	}
	for t := range addressTypes {
		if p.types[t] {
			p.packType(int32(t), byGroup)
		}
	}
}

// findSurplus settles who stays: everything at home, but for what a slice that is written holds above the maximum.
func (p *planner) findSurplus() {
	for i := range p.items {
		p.items[i].slice = p.items[i].home
	}
	crowded := map[int32][]int32{}
	for i := range p.slices {
		if s := &p.slices[i]; s.reasons != 0 && int(s.homes) > p.max {
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
		s := &p.slices[index]
		for _, i := range items[p.max:] {
			p.items[i].slice = none
		}
		s.homes = int32(p.max)
		s.reasons.add(OversizeSplit)
	}
}

// slicesByGroup lists the slices that keep endpoints, by group.
func (p *planner) slicesByGroup() [][]int32 {
	byGroup := make([][]int32, len(p.groups))
	for i := range p.slices {
		if s := &p.slices[i]; s.fate == stays {
			byGroup[s.group] = append(byGroup[s.group], int32(i))
		}
	}
	return byGroup
}

func (p *planner) packType(t int32, byGroup [][]int32) {
	var needs []*need
	accepted := false
	if p.in.Options.Packing == Compact && !p.in.Set.Terminating {
		p.compact(t, byGroup)
	}
	for _, g := range p.order {
		if p.groups[g].typ != t || p.groups[g].count == 0 {
			continue
		}
		accepted = true
		if len(p.groups[g].items) > 0 {
			needs = append(needs, p.assess(g, byGroup[g]))
		}
	}
	if !accepted {
		p.placePlaceholder(t)
		return
	}
	p.reuse(t, needs)
	for _, n := range needs {
		p.open(n)
		p.fill(n)
	}
	for i := range p.slices {
		s := &p.slices[i]
		if s.typ != t {
			continue
		}
		if s.fate == free {
			s.fate = deleted
			s.reasons.add(NothingLeft)
		}
		if s.reasons == 1<<Compacted && s.added == 0 {
			s.reasons = 0
		}
	}
}
