package slicer

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// TestFillAgainstReference compares what fill does with what the reference implementation does.
// SLICEWRIGHT_CASES and SLICEWRIGHT_SEED ask for more cases or for others.
func TestFillAgainstReference(t *testing.T) {
	cases, seed := nightly.Cases(t, nightly.Usual(8000, 20000)), nightly.Seed(t, 1)
	r := rand.New(rand.NewSource(seed))
	for n := range cases {
		c := drawFillCase(r, 1+n*6/cases)
		p := c.placement()
		p.fill()
		if err := newReference(c).compare(p); err != nil {
			t.Fatalf("case %d of seed %d: %v\n%+v", n, seed, err, *c)
		}
	}
}

// fillCase is what fill is given. Identities are numbers, in canonical order.
type fillCase struct {
	limits       packing.Limits
	compact      bool
	dissolveUpTo int
	empty        typeSet // the address types that have no items and keep a placeholder
	types        []int32 // of each port set
	items        []fillItem
	slices       []placedSlice
	held         [][]int32 // of each slice: identities
}

type fillItem struct{ portSet, identity, current int32 }

// placement is the one in which every item is in its current slice.
func (c *fillCase) placement() *placement {
	in := &request{limits: c.limits, dissolveUpTo: c.dissolveUpTo}
	if c.compact {
		in.Options.Packing = Compact
	}
	w := &wantedItems{}
	for _, typ := range c.types {
		w.portSets = append(w.portSets, wantedPorts{typ: typ})
	}
	for _, it := range c.items {
		e := endpointOf(it.identity)
		w.items = append(w.items, item{endpoint: &e, ip: endpoint.OnlyIPv4(&e), portSet: it.portSet})
	}
	w.items, _ = w.index.take(w.items, w.portSets)
	p := &placement{in: in, wanted: w, present: &presentSlices{placeholders: c.empty}, slices: slices.Clone(c.slices)}
	for i, it := range c.items {
		p.items = append(p.items, placedItem{item: w.items[i], current: it.current, place: it.current})
	}
	for i := range c.slices {
		p.present.slices = append(p.present.slices, c.slices[i].liveSlice)
	}
	return p
}

func endpointOf(identity int32) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.%d.%d", identity/100, identity%100)}}
}

// add adds a slice that is the current one of some identities of a port set; none for a reusable
// slice.
func (c *fillCase) add(s placedSlice, held []int32, current []int32) {
	if s.stay = int32(len(current)); len(current) == 0 {
		s.newPorts = none
	}
	for _, id := range current {
		c.items = append(c.items, fillItem{s.newPorts, id, int32(len(c.slices))})
	}
	if s.object == nil {
		s.object = &discoveryv1.EndpointSlice{}
	}
	for _, id := range held {
		s.object.Endpoints = append(s.object.Endpoints, endpointOf(id))
	}
	c.slices, c.held = append(c.slices, s), append(c.held, held)
}

// sort brings items into their canonical order.
func (c *fillCase) sort(items []int32) {
	slices.SortFunc(items, func(a, b int32) int { return int(c.items[a].identity - c.items[b].identity) })
}

// drawFillCase draws up to three port sets of two address types, and up to the given number of
// slices.
func drawFillCase(r *rand.Rand, size int) *fillCase {
	c := &fillCase{limits: packing.Limits{Max: 1 + r.Intn(4), NoCreates: r.Intn(5) == 0}, compact: r.Intn(3) == 0}
	c.dissolveUpTo = 1 + r.Intn(c.limits.Max)
	for range 1 + r.Intn(3) {
		c.types = append(c.types, int32(r.Intn(4)/3))
	}
	slices.Sort(c.types)
	free := make([][]int32, len(c.types)) // of each port set: the identities that are not yet in it
	for g, typ := range c.types {
		for _, id := range r.Perm(2 + r.Intn(8)) {
			free[g] = append(free[g], typ*100+int32(id))
		}
	}
	take := func(g, n int) []int32 {
		n = min(n, len(free[g]))
		taken := free[g][:n]
		free[g] = free[g][n:]
		return taken
	}
	for range r.Intn(size + 1) {
		g := r.Intn(len(c.types))
		s := placedSlice{liveSlice: liveSlice{typ: c.types[g], oldPorts: int32(g),
			object: &discoveryv1.EndpointSlice{}}, newPorts: int32(g)}
		s.written = r.Intn(2) == 0
		if s.drift.Labels = r.Intn(4) == 0; s.drift.Labels {
			s.written = true
		}
		if r.Intn(2) == 0 {
			s.object.Ports = make([]discoveryv1.EndpointPort, 1)
		}
		current := take(g, r.Intn(2)*r.Intn(c.limits.Max+3))
		if r.Intn(3) == 0 {
			s.oldPorts = none
		}
		if len(current) == 0 && r.Intn(8) == 0 {
			s.typ, s.oldPorts = none, none
		}
		held := slices.Clone(current)
		for range r.Intn(2) * r.Intn(5) {
			held = append(held, c.types[g]*100+int32(r.Intn(10)))
		}
		c.add(s, held, current)
	}
	for g := range free {
		for _, id := range take(g, r.Intn(len(free[g])+1)) {
			c.items = append(c.items, fillItem{int32(g), id, none})
		}
	}
	r.Shuffle(len(c.items), func(i, j int) { c.items[i], c.items[j] = c.items[j], c.items[i] })
	c.empty = typeSet{r.Intn(2) == 0, r.Intn(2) == 0}
	for _, it := range c.items {
		c.empty[c.types[it.portSet]] = false
	}
	return c
}

// reference does what fill does, with a list of items for each slice and no thought of speed. How
// many items each slice takes it lets package packing decide, which has a reference implementation
// of its own.
type reference struct {
	*fillCase
	slices []placedSlice
	lists  [][]int32 // the items in each slice
	loose  []int32   // items without place
}

func newReference(c *fillCase) *reference {
	r := &reference{fillCase: c, slices: slices.Clone(c.slices), lists: make([][]int32, len(c.slices))}
	for i, it := range c.items {
		if it.current == none {
			r.loose = append(r.loose, int32(i))
		} else {
			r.lists[it.current] = append(r.lists[it.current], int32(i))
		}
	}
	for n := range r.slices {
		r.sort(r.lists[n])
		if s := &r.slices[n]; s.written && len(r.lists[n]) > c.limits.Max && !c.limits.NoCreates {
			s.stay, s.surplus = int32(c.limits.Max), int32(len(r.lists[n])-c.limits.Max)
			r.loose = append(r.loose, r.lists[n][c.limits.Max:]...)
			r.lists[n] = r.lists[n][:c.limits.Max]
		}
	}
	for typ, isEmpty := range c.empty {
		if isEmpty {
			r.keepEmpty(int32(typ))
		} else {
			r.fill(int32(typ))
		}
	}
	for n := range r.slices {
		s := &r.slices[n]
		if s.taken = int32(len(r.lists[n])) - s.stay; s.taken > 0 {
			s.written = true
		}
		if s.outcome != placeholder && s.newPorts == none {
			s.outcome = deleted
		}
	}
	return r
}

// keepEmpty makes the slice that is most like a placeholder one.
func (r *reference) keepEmpty(typ int32) {
	for unlike := range 100 {
		for n := range r.slices {
			if s := &r.slices[n]; s.typ == typ && s.unlikePlaceholder() == unlike {
				s.outcome, s.written = placeholder, s.written || unlike > 0
				return
			}
		}
	}
	if !r.limits.NoCreates {
		r.create(none, typ)
		r.slices[len(r.slices)-1].outcome = placeholder
	}
}

func (r *reference) create(portSet, typ int32) {
	r.slices = append(r.slices, placedSlice{liveSlice: liveSlice{typ: typ}, newPorts: portSet, written: true})
	r.lists = append(r.lists, nil)
}

// looseOf lists the items of a port set without place, in canonical order.
func (r *reference) looseOf(portSet int) (list []int32) {
	for _, i := range r.loose {
		if int(r.items[i].portSet) == portSet {
			list = append(list, i)
		}
	}
	r.sort(list)
	return list
}

func (r *reference) fill(typ int32) {
	var numbers []int // of the slices of the address type
	for n := range r.slices {
		if r.slices[n].typ == typ {
			numbers = append(numbers, n)
		}
	}
	p := r.problem(typ, numbers)
	if r.compact {
		joined := packing.Join(p, r.dissolveUpTo)
		for _, k := range joined.Compacted {
			r.slices[numbers[k]].compacted = true
		}
		for _, k := range joined.Dissolved {
			s, list := &r.slices[numbers[k]], &r.lists[numbers[k]]
			s.newPorts, s.stay, s.surplus, s.dissolved = none, 0, 0, true
			r.loose, *list = append(r.loose, *list...), nil
		}
		p = joined.Problem
	}
	var overlaps []packing.Overlap
	for k, n := range numbers {
		for g := range r.types {
			if count := len(r.back(n, g)); r.slices[n].newPorts == none && count > 0 {
				overlaps = append(overlaps, packing.Overlap{Slice: k, Group: g, Count: count})
			}
		}
	}
	for g, d := range packing.Place(p, func() []packing.Overlap { return overlaps }) {
		if p.Unassigned[g] > 0 {
			r.deal(g, d, numbers)
		}
	}
}

func (r *reference) problem(typ int32, numbers []int) packing.Problem {
	p := packing.Problem{Limits: r.limits, Unassigned: make([]int, len(r.types))}
	for g := range r.types {
		if r.types[g] == typ {
			p.Unassigned[g] = len(r.looseOf(g))
		}
	}
	for _, n := range numbers {
		s := r.slices[n]
		p.Slices = append(p.Slices, packing.Slice{
			Group: int(s.newPorts), Ports: int(s.oldPorts), Stay: len(r.lists[n]), Written: s.written &&
				s.newPorts != none,
		})
	}
	return p
}

// back lists the items of a port set without place that a slice holds.
func (r *reference) back(n, portSet int) (list []int32) {
	for _, i := range r.looseOf(portSet) {
		if slices.Contains(r.held[n], r.items[i].identity) {
			list = append(list, i)
		}
	}
	return list
}

func (r *reference) deal(g int, d packing.Deal, numbers []int) {
	for _, k := range d.Reused {
		n := numbers[k]
		r.slices[n].newPorts, r.slices[n].written = int32(g), true
		for _, i := range r.back(n, g) {
			r.put(i, n)
		}
	}
	order := []int{}
	for _, k := range slices.Concat(d.Written, d.Opened, d.Reused) {
		order = append(order, numbers[k])
	}
	for range d.Created {
		order = append(order, len(r.lists))
		r.create(int32(g), r.types[g])
	}
	for _, i := range r.looseOf(g) {
		for _, n := range order {
			if r.put(i, n) {
				break
			}
		}
	}
}

// put puts an item into a slice that has room.
func (r *reference) put(i int32, n int) bool {
	if len(r.lists[n]) >= r.limits.Max {
		return false
	}
	r.lists[n] = append(r.lists[n], i)
	r.loose = slices.DeleteFunc(r.loose, func(other int32) bool { return other == i })
	return true
}

// compare returns how a placement differs from that of the reference implementation.
func (r *reference) compare(p *placement) error {
	text := func(list []placedSlice) (text string) {
		for _, s := range list {
			text += fmt.Sprintln(s.typ, s.newPorts, s.stay, s.written, s.outcome, s.surplus, s.taken, s.dissolved,
				s.compacted)
		}
		return text
	}
	if have, want := text(p.slices), text(r.slices); have != want {
		return fmt.Errorf("slices\n%s, want\n%s", have, want)
	}
	for g := range r.types {
		var have []int32
		if p.unplaced != nil {
			have = p.unplaced[g]
		}
		if r.sort(have); !slices.Equal(have, r.looseOf(g)) {
			return fmt.Errorf("without place on port set %d: %v, want %v", g, have, r.looseOf(g))
		}
	}
	for n, list := range r.lists {
		for _, i := range list {
			if p.items[i].place != int32(n) {
				return fmt.Errorf("item %d is in %d, want %d", i, p.items[i].place, n)
			}
		}
		writes := r.slices[n].written && r.slices[n].outcome != deleted
		if !writes {
			list = nil
		}
		if r.sort(list); !slices.Equal(p.slices[n].items, list) || p.slices[n].updated() != writes {
			return fmt.Errorf("slice %d has %v and is written: %v; want %v, %v", n, p.slices[n].items,
				p.slices[n].updated(), list, writes)
		}
	}
	return nil
}

// TestOpen: a clean slice that is opened after fill is written and has its items in order.
func TestOpen(t *testing.T) {
	c := &fillCase{limits: packing.Limits{Max: 4}, types: []int32{0}}
	c.add(placedSlice{}, nil, []int32{3, 1, 2})
	c.add(placedSlice{}, nil, []int32{5})
	p := c.placement()
	p.fill()
	first, second := &p.slices[0], &p.slices[1]
	if p.rewrite([]int32{0}); !first.updated() || second.updated() || second.changes() ||
		!slices.Equal(first.items, []int32{1, 2, 0}) || len(second.items) > 0 {
		t.Errorf("%+v, %+v", first, second)
	}
	if first.outcome = deleted; first.updated() || !first.changes() {
		t.Errorf("%+v is deleted", first)
	}
}

// TestCandidates: of each identity the first 16 free items of its row are candidates, whichever
// have been taken since, and asking again and again does not look at the same taken ones.
func TestCandidates(t *testing.T) {
	rows := [][]int32{nil, nil, nil}
	for i := range int32(100) {
		rows[0] = append(rows[0], i)
	}
	rows[1], rows[2] = []int32{100, 101}, rows[0][:16]
	taken, looks := map[int32]bool{}, 0
	c := newCandidates(func(id int32) []int32 { return rows[id] }, func(i int32) bool { looks++; return !taken[i] })
	r := rand.New(rand.NewSource(1))
	const calls = 300
	for range calls {
		id := int32(r.Intn(3))
		var want []int32
		for _, i := range rows[id] {
			if !taken[i] && len(want) < 16 {
				want = append(want, i)
			}
		}
		if have := c.of([]int32{-7}, id); !slices.Equal(have, append([]int32{-7}, want...)) {
			t.Fatalf("identity %d: %v, want %v", id, have, want)
		}
		taken[int32(r.Intn(102))] = true
	}
	if most := calls*16 + 100 + 2*calls; looks > most {
		t.Errorf("%d looks, want at most %d", looks, most)
	}
}

// Mutants of gremlins that no test can notice: those that change how large a list of items is at
// first; and a row of just 16 items that is copied although it need not be.
