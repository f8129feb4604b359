package hints

// transport hands the endpoints of written slices to zones, with the fewest out of their own zone and, among those
// ways, the fewest changed hints. Both are exact:
//
// Every endpoint starts at home, and homeless ones, whose zone has no weight, nowhere. A zone whose homes are below its low
// bound imports, one above its high bound exports. With S the surplus above high bounds, D the deficit below low
// bounds and U homeless endpoints, max(S, D-U, 0) endpoints must leave home, and that many suffice.
//
//	 exporters                              importers
//	a ####|##            U homeless        c ##..|
//	      high --------- ##### ----------->    low
//	b ###|#                                d #...|
//
// Of those that leave, one that goes where its hint points already saves a change; where the others go makes no
// difference. So the most such direct ones are a maximum flow over the classes (home, hint), and the others are taken
// first from those whose hint is not home. That never costs a direct one, because it only fills what these left over.
type transport struct {
	shares  *shares
	classes []class
	flow    flow

	// What a solution is computed from, by zone.
	homes, away          []int // at home here; of these, hinted elsewhere or nowhere
	need, room           []int // imports: at least, at most
	push, give           []int // exports: at least, at most
	homeless, hintedAway int   // endpoints without a home zone; all whose valid hint is not home
	leave                int   // how many leave home
	extraFrom, extraInto int   // exports above push, imports above need
	direct               []int // by class: the link in flow, -1 for none
}

func newTransport(s *shares, list []class) *transport {
	zones := len(s.names)
	cells := make([]int, 6*zones)
	cut := func() []int {
		part := cells[:zones:zones]
		cells = cells[zones:]
		return part
	}
	return &transport{
		shares: s, classes: list, direct: make([]int, len(list)),
		homes: cut(), away: cut(), need: cut(), room: cut(), push: cut(), give: cut(),
	}
}

// cost is what a solution is judged by, the first first.
type cost struct{ crossing, changed int }

func (c cost) less(d cost) bool {
	return c.crossing < d.crossing || (c.crossing == d.crossing && c.changed < d.changed)
}

// solve finds the best solution for so many endpoints of each class where the frozen slices give each zone so many.
func (t *transport) solve(count, frozen []int, g goal) cost {
	t.gather(count)
	t.bound(frozen, g)
	direct := t.connect(count)
	// Exporters whose endpoints are all hinted home lose good hints.
	forced, spare := 0, 0
	for z := range t.homes {
		forced += max(0, t.push[z]-t.away[z])
		spare += max(0, min(t.give[z], t.away[z])-t.push[z])
	}
	changed := t.hintedAway - direct + forced + max(0, t.extraFrom-spare)
	return cost{crossing: t.homeless + t.leave, changed: changed}
}

// gather counts the classes.
func (t *transport) gather(count []int) {
	clear(t.homes)
	clear(t.away)
	t.homeless, t.hintedAway = 0, 0
	for i, c := range t.classes {
		if c.home == nowhere {
			t.homeless += count[i]
		} else {
			t.homes[c.home] += count[i]
			if c.prior != c.home {
				t.away[c.home] += count[i]
			}
		}
		if c.prior != nowhere && c.prior != c.home {
			t.hintedAway += count[i]
		}
	}
}

// bound computes who must and may import and export.
func (t *transport) bound(frozen []int, g goal) {
	deficit, surplus := 0, 0
	for z, homes := range t.homes {
		low, high := max(0, g.low[z]-frozen[z]), maxInt
		if g.high != nil {
			high = max(0, g.high[z]-frozen[z])
		}
		t.need[z], t.room[z] = max(0, low-homes), max(0, high-homes)
		t.push[z], t.give[z] = max(0, homes-high), max(0, homes-low)
		deficit += t.need[z]
		surplus += t.push[z]
	}
	t.leave = max(surplus, deficit-t.homeless, 0)
	t.extraFrom = t.leave - surplus
	t.extraInto = t.leave + t.homeless - deficit
}

// The nodes of the flow; the exporters and importers follow, zone by zone.
const (
	source = iota
	sink
	extraFrom
	extraInto
	homelessNode
	fixedNodes
)

// connect finds the most endpoints that can go where their hints point, and returns how many.
func (t *transport) connect(count []int) int {
	zones := len(t.homes)
	exporter := func(z int) int { return fixedNodes + z }
	importer := func(z int) int { return fixedNodes + zones + z }
	f := &t.flow
	f.reset(fixedNodes + 2*zones)
	f.link(source, homelessNode, t.homeless)
	f.link(source, extraFrom, t.extraFrom)
	f.link(extraInto, sink, t.extraInto)
	for z := range zones {
		if t.give[z] > 0 {
			f.link(source, exporter(z), t.push[z])
			f.link(extraFrom, exporter(z), t.give[z]-t.push[z])
		}
		if t.room[z] > 0 {
			f.link(importer(z), sink, t.need[z])
			f.link(importer(z), extraInto, t.room[z]-t.need[z])
		}
	}
	for i, c := range t.classes {
		t.direct[i] = -1
		if count[i] == 0 || c.prior == nowhere || c.prior == c.home {
			continue
		}
		from := homelessNode
		if c.home != nowhere {
			from = exporter(c.home)
		}
		t.direct[i] = f.link(from, importer(c.prior), count[i])
	}
	return f.run(source, sink)
}
