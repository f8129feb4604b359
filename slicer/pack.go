package slicer

import (
	"cmp"
	"slices"
	"strings"
)

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
	p.findSurplus()
	p.adoptOrphans()
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
	var crowded map[int32][]int32
	for i := range p.items {
		it := &p.items[i]
		it.slice = it.home
		if it.home == none {
			continue
		}
		if s := &p.slices[it.home]; s.reasons != 0 && int(s.homes) > p.max {
			if crowded == nil {
				crowded = map[int32][]int32{}
			}
			crowded[it.home] = append(crowded[it.home], int32(i))
		}
	}
	for index, items := range crowded {
		p.sortItems(items)
		s := &p.slices[index]
		for _, i := range items[p.max:] {
			it := &p.items[i]
			it.slice = none
			if !p.sameContent(it.endpoint, it.held) || !p.sameWantedHints(it.endpoint, it.held) {
				s.changed--
			}
		}
		s.removed += int32(len(items) - p.max)
		s.homes = int32(p.max)
		s.reasons.add(OversizeSplit)
	}
}

// sortItems brings items into canonical order.
func (p *planner) sortItems(items []int32) {
	slices.SortFunc(items, func(a, b int32) int { return compareEndpoints(p.items[a].endpoint, p.items[b].endpoint) })
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

// need is what a group still lacks once its written slices are full.
type need struct {
	group   int32
	places  int     // endpoints that need a slice which would not be written otherwise
	whole   int     // slices of the maximum size that would do: re-used, opened or created
	written []int32 // slices with room that are written anyway, the fullest first
	clean   []int32 // slices with room that are not, the emptiest first
	opened  []int32 // those of clean that are written after all
	reused  []int32
	created int
}

// openable is how many clean slices could stand in for whole ones: the emptiest, until what they hold already eats up
// the room that whole slices would leave over.
func (p *planner) openable(n *need) int {
	slack := n.whole*p.max - n.places
	for y, s := range n.clean {
		if slack -= int(p.slices[s].homes); slack < 0 || y == n.whole {
			return y
		}
	}
	return min(len(n.clean), n.whole)
}

func (p *planner) packType(t int32, byGroup [][]int32) {
	var needs []*need
	accepted := false
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
		if s := &p.slices[i]; s.typ == t && s.fate == free {
			s.fate = deleted
			s.removed = int32(len(s.object.Endpoints))
			s.reasons.add(NothingLeft)
		}
	}
}

// assess finds a group's room and what it needs beyond.
func (p *planner) assess(g int32, of []int32) *need {
	n := &need{group: g, places: len(p.groups[g].items)}
	for _, i := range of {
		s := &p.slices[i]
		room := p.max - int(s.homes)
		switch {
		case room <= 0:
		case s.reasons != 0:
			n.written = append(n.written, i)
			n.places -= room
		default:
			n.clean = append(n.clean, i)
		}
	}
	n.places = max(n.places, 0)
	n.whole = (n.places + p.max - 1) / p.max
	slices.SortFunc(n.written, func(a, b int32) int { return -p.byFill(a, b) })
	if n.places > 0 {
		slices.SortFunc(n.clean, p.byFill)
	}
	return n
}

// byFill orders slices by the endpoints at home, then by name in reverse, so that the reverse order is by name.
func (p *planner) byFill(a, b int32) int {
	return cmp.Or(cmp.Compare(p.slices[a].homes, p.slices[b].homes), -strings.Compare(p.slices[a].object.Name, p.slices[b].object.Name))
}

// open chooses the clean slices to write and the number of slices to create: the fewest writes, then the fewest slices,
// then the fullest slices, then by name (G4).
func (p *planner) open(n *need) {
	left := n.places - len(n.reused)*p.max
	if left <= 0 {
		return
	}
	if p.in.Set.Terminating {
		p.openWithoutCreates(n, left)
		return
	}
	writes := (left + p.max - 1) / p.max
	n.opened = p.bestFit(n.clean, writes*p.max-left, writes)
	n.created = writes - len(n.opened)
}

// bestFit takes as many clean slices as fit, at most limit, whose endpoints sum up to at most slack; of all such sets
// the one with the fullest slices. clean is sorted with the emptiest first.
func (p *planner) bestFit(clean []int32, slack, limit int) []int32 {
	count, least := 0, 0 // the emptiest ones: how many fit, and what they hold
	for count < min(len(clean), limit) && least+int(p.slices[clean[count]].homes) <= slack {
		least += int(p.slices[clean[count]].homes)
		count++
	}
	var opened []int32
	for i := len(clean) - 1; count > 0; i-- {
		others := least - int(p.slices[clean[count-1]].homes)
		if homes := int(p.slices[clean[i]].homes); i == count-1 || others+homes <= slack {
			opened = append(opened, clean[i])
			slack -= homes
			least = others
			count--
		}
	}
	return opened
}

// openWithoutCreates takes the emptiest slices until all find room, or as many as there are.
func (p *planner) openWithoutCreates(n *need, left int) {
	for _, s := range n.clean {
		if left <= 0 {
			break
		}
		n.opened = append(n.opened, s)
		left -= p.max - int(p.slices[s].homes)
	}
	slices.SortFunc(n.opened, func(a, b int32) int { return -p.byFill(a, b) })
}
