package slicer

import (
	"cmp"
	"slices"
	"strings"
)

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

// openable is how many clean slices could stand in for whole ones.
func (p *planner) openable(n *need) int { return p.fitting(n.clean, n.whole*p.max-n.places, n.whole) }

// fitting is how many clean slices, the emptiest and at most limit, hold no more than slack together.
func (p *planner) fitting(clean []int32, slack, limit int) int {
	for n, i := range clean[:min(len(clean), limit)] {
		if slack -= int(p.slices[i].homes); slack < 0 {
			return n
		}
	}
	return min(len(clean), limit)
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
	count, least := p.fitting(clean, slack, limit), 0 // the emptiest ones: how many fit, and what they hold
	for _, i := range clean[:count] {
		least += int(p.slices[i].homes)
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
