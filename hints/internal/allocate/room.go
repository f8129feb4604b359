package allocate

import "slices"

// refreshed is the number of groups whose loads are computed again after one more endpoint serves a
// zone. A group is the endpoints of one zone that serve the same zones. If more groups serve the
// zone, they take turns, so that the cost for an endpoint does not depend on the number of zones.
// The lastLoad of the other groups is then a little above their load.
const refreshed = 32

// room finds the groups with the most and the least load among many, while plan.widen lets
// endpoints serve more zones.
type room struct {
	tree    tree
	entered int     // groups that are in the tree
	serving [][]int // by zone: the groups that serve it
	turn    []int   // by zone: the position in serving of the group that is looked at next
}

// track sets p.room. From then on only the method join may change the plan.
func (p *plan) track() {
	p.room = &room{serving: make([][]int, len(p.Weights)), turn: make([]int, len(p.Weights))}
	for i := range p.groups {
		p.look(i)
	}
}

// look computes the load of a group, and updates the tree with it. A new group is added.
func (p *plan) look(number int) {
	c := &p.groups[number]
	if number == p.entered {
		p.entered++
		for _, z := range c.zones {
			p.serving[z] = append(p.serving[z], number)
		}
	}
	c.lastLoad = p.load(*c)
	p.tree.update(p.groups, number)
}

// refresh calls look for groups that serve a zone. One more endpoint serves this zone now, so their
// loads are lower than before.
func (p *plan) refresh(zone int) {
	list, looked := p.serving[zone], 0
	for steps := 0; steps < min(len(list), 4*refreshed) && looked < refreshed; steps++ {
		p.turn[zone] = (p.turn[zone] + 1) % len(list)
		if number := list[p.turn[zone]]; p.groups[number].count > 0 {
			p.look(number)
			looked++
		}
	}
}

// busiest returns the group with the highest load above most, and whether there is one. Ties go to
// the first one.
func (p *plan) busiest(most uint64) (c group, found bool) {
	if p.room == nil {
		for i := range p.groups {
			if load := p.load(p.groups[i]); load > most {
				c, found = p.groups[i], true
				most = load
			}
		}
		return c, found
	}
	for looked := 0; ; looked++ {
		i := p.tree.root().busiest
		if i == none || p.groups[i].lastLoad <= most { // lastLoad is never below the load
			return group{}, false
		}
		load := p.load(p.groups[i])
		if load == p.groups[i].lastLoad || load > most && looked >= refreshed/8 {
			return p.groups[i], true
		}
		p.look(int(i))
	}
}

// roomiest returns the group with the lowest load of all groups whose endpoints may serve the zone
// and do not serve it yet, and whether there is one. Ties go to the first one.
func (p *plan) roomiest(zone int) (number int, found bool) {
	if p.room != nil {
		number = int(p.tree.root().without(p.groups, zone))
		return number, number != none
	}
	number, least := none, uint64(0)
	for i := range p.groups {
		if c := &p.groups[i]; c.mayServe() && !slices.Contains(c.zones, zone) {
			if load := p.load(*c); number == none || load < least {
				number, least = i, load
			}
		}
	}
	return number, number != none
}
