package allocate

import "slices"

// refreshed is how many crews are looked at again after one more endpoint serves a zone. If more
// crews serve the zone, they take turns, so that an endpoint costs the same however many zones
// there are. The other crews then seem to carry a little more than they do.
const refreshed = 32

// room finds the crews with the most and the least load among many while a plan is widened.
type room struct {
	tree    tree
	entered int     // crews that are in the tree
	serving [][]int // by zone: the crews that serve it
	turn    []int   // by zone: the position in serving of the crew that is looked at next
}

// track makes the room of a plan. From then on only join changes the plan.
func (p *plan) track() {
	p.room = &room{serving: make([][]int, len(p.Weights)), turn: make([]int, len(p.Weights))}
	for i := range p.crews {
		p.look(i)
	}
}

// look tells the tree what a crew carries now. It adds a crew that is new.
func (p *plan) look(number int) {
	c := &p.crews[number]
	if number == p.entered {
		p.entered++
		for _, z := range c.zones {
			p.serving[z] = append(p.serving[z], number)
		}
	}
	c.known = p.load(*c)
	p.tree.update(p.crews, number)
}

// refresh looks again at crews that serve a zone, because one more endpoint serves it now.
func (p *plan) refresh(zone int) {
	list, looked := p.serving[zone], 0
	for steps := 0; steps < min(len(list), 4*refreshed) && looked < refreshed; steps++ {
		p.turn[zone] = (p.turn[zone] + 1) % len(list)
		if number := list[p.turn[zone]]; p.crews[number].count > 0 {
			p.look(number)
			looked++
		}
	}
}

// busiest returns the crew with the highest load above most, and whether there is one. Ties go to
// the first one.
func (p *plan) busiest(most uint64) (c crew, found bool) {
	if p.room == nil {
		for i := range p.crews {
			if load := p.load(p.crews[i]); load > most {
				c, most, found = p.crews[i], load, true
			}
		}
		return c, found
	}
	for looked := 0; ; looked++ {
		i := p.tree.root().busiest
		if i == none || p.crews[i].known <= most { // what is known is never below the load
			return crew{}, false
		}
		load := p.load(p.crews[i])
		if load == p.crews[i].known || load > most && looked >= refreshed/8 {
			return p.crews[i], true
		}
		p.look(int(i))
	}
}

// roomiest returns the crew with the lowest load of those whose endpoints may serve a zone, and
// whether there is one. Ties go to the first one.
func (p *plan) roomiest(zone int) (number int, found bool) {
	if p.room != nil {
		number = int(p.tree.root().without(p.crews, zone))
		return number, number != none
	}
	number, least := none, uint64(0)
	for i := range p.crews {
		if c := &p.crews[i]; c.mayServe() && !slices.Contains(c.zones, zone) {
			if load := p.load(*c); number == none || load < least {
				number, least = i, load
			}
		}
	}
	return number, number != none
}
