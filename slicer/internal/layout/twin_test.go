package layout_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
	. "github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// twin does what Fill does, with a list of items for each slice and no thought of speed. How many items each slice takes it
// lets package packing decide, which has a twin of its own.
type twin struct {
	*world
	slices  []Slice
	creates []Create
	lists   [][]int32 // the items in each slice, those to be created last
	loose   []int32   // items without place
}

func newTwin(w *world) *twin {
	t := &twin{world: w, slices: slices.Clone(w.slices), lists: make([][]int32, len(w.slices))}
	for i, it := range w.items {
		if it.home == Nowhere {
			t.loose = append(t.loose, int32(i))
		} else {
			t.lists[it.home] = append(t.lists[it.home], int32(i))
		}
	}
	for i := range t.slices {
		t.Sort(t.lists[i])
		if s := &t.slices[i]; s.Written && len(t.lists[i]) > w.rules.Max && !w.rules.NoCreates {
			s.Stay, s.Surplus = int32(w.rules.Max), int32(len(t.lists[i])-w.rules.Max)
			t.loose = append(t.loose, t.lists[i][w.rules.Max:]...)
			t.lists[i] = t.lists[i][:w.rules.Max]
		}
	}
	for class, isEmpty := range w.empty {
		if isEmpty {
			t.keepEmpty(int32(class))
		} else {
			t.fill(int32(class))
		}
	}
	for i := range t.slices {
		s := &t.slices[i]
		if s.Taken = int32(len(t.lists[i])) - s.Stay; s.Taken > 0 {
			s.Written = true
		}
		if s.Outcome != Emptied && s.Group == None {
			s.Outcome = Deleted
		}
	}
	return t
}

// keepEmpty makes the slice that is least unlike a placeholder one.
func (t *twin) keepEmpty(class int32) {
	for unlike := range int32(100) {
		for i := range t.slices {
			if s := &t.slices[i]; s.Class == class && s.Unlike == unlike {
				s.Outcome, s.Written = Emptied, s.Written || unlike > 0
				return
			}
		}
	}
	if !t.rules.NoCreates {
		t.creates, t.lists = append(t.creates, Create{None, class}), append(t.lists, nil)
	}
}

// looseOf lists the items of a group without place, in canonical order.
func (t *twin) looseOf(group int) (list []int32) {
	for _, i := range t.loose {
		if int(t.items[i].group) == group {
			list = append(list, i)
		}
	}
	t.Sort(list)
	return list
}

func (t *twin) fill(class int32) {
	var numbers []int // of the slices of the class
	for i, s := range t.slices {
		if s.Class == class {
			numbers = append(numbers, i)
		}
	}
	p := t.problem(class, numbers)
	if t.rules.Compact {
		joined := packing.Join(p, t.rules.DissolveUpTo)
		for _, n := range joined.Compacted {
			t.slices[numbers[n]].Compacted = true
		}
		for _, n := range joined.Dissolved {
			s, list := &t.slices[numbers[n]], &t.lists[numbers[n]]
			s.Group, s.Stay, s.Surplus, s.Dissolved = None, 0, 0, true
			t.loose, *list = append(t.loose, *list...), nil
		}
		p = joined.Problem
	}
	var overlaps []packing.Overlap
	for n, i := range numbers {
		for g := range t.classes {
			if count := len(t.back(i, g)); t.slices[i].Group == None && count > 0 {
				overlaps = append(overlaps, packing.Overlap{Slice: n, Group: g, Count: count})
			}
		}
	}
	for g, d := range packing.Place(p, func() []packing.Overlap { return overlaps }) {
		if p.Unassigned[g] > 0 {
			t.deal(g, d, numbers)
		}
	}
}

func (t *twin) problem(class int32, numbers []int) packing.Problem {
	p := packing.Problem{Limits: t.rules.Limits, Unassigned: make([]int, len(t.classes))}
	for g := range t.classes {
		if t.classes[g] == class {
			p.Unassigned[g] = len(t.looseOf(g))
		}
	}
	for _, i := range numbers {
		s := t.slices[i]
		p.Slices = append(p.Slices, packing.Slice{
			Group: int(s.Group), Ports: int(s.Ports), Homes: len(t.lists[i]), Written: s.Written && s.Group != None,
		})
	}
	return p
}

// back lists the items of a group without place that a slice holds.
func (t *twin) back(slice, group int) (list []int32) {
	for _, i := range t.looseOf(group) {
		if slices.Contains(t.held[slice], t.items[i].identity) {
			list = append(list, i)
		}
	}
	return list
}

func (t *twin) deal(g int, d packing.Deal, numbers []int) {
	for _, n := range d.Reused {
		i := numbers[n]
		t.slices[i].Group, t.slices[i].Written = int32(g), true
		for _, item := range t.back(i, g) {
			t.seat(item, i)
		}
	}
	order := []int{}
	for _, n := range slices.Concat(d.Written, d.Opened, d.Reused) {
		order = append(order, numbers[n])
	}
	for range d.Created {
		order = append(order, len(t.lists))
		t.creates, t.lists = append(t.creates, Create{int32(g), t.classes[g]}), append(t.lists, nil)
	}
	for _, item := range t.looseOf(g) {
		for _, i := range order {
			if t.seat(item, i) {
				break
			}
		}
	}
}

// seat puts an item into a slice that has room.
func (t *twin) seat(item int32, slice int) bool {
	if len(t.lists[slice]) >= t.rules.Max {
		return false
	}
	t.lists[slice] = append(t.lists[slice], item)
	t.loose = slices.DeleteFunc(t.loose, func(i int32) bool { return i == item })
	return true
}

// TestFillAgainstTwin compares layouts with the twin's. SLICEWRIGHT_CASES and SLICEWRIGHT_SEED ask for more or for others.
func TestFillAgainstTwin(t *testing.T) {
	cases, seed := nightly.Cases(t, 20000), nightly.Seed(t, 1)
	r := rand.New(rand.NewSource(seed))
	var l Layout
	for n := range cases {
		w := drawn(r, 1+n*6/cases)
		w.begin(&l)
		l.Fill(w.rules, w.empty, w)
		if err := compare(w, &l, newTwin(w)); err != nil {
			t.Fatalf("case %d of seed %d: %v\n%+v", n, seed, err, *w)
		}
	}
}

func compare(w *world, l *Layout, want *twin) error {
	if !slices.Equal(l.Slices, want.slices) || !slices.Equal(l.Creates, want.creates) {
		return fmt.Errorf("slices\n%+v %+v, want\n%+v %+v", l.Slices, l.Creates, want.slices, want.creates)
	}
	unplaced := l.Unplaced(w)
	if (unplaced == nil) != (len(want.loose) == 0) {
		return fmt.Errorf("unplaced %v, want %v", unplaced, want.loose)
	}
	for g, list := range unplaced {
		if w.Sort(list); !slices.Equal(list, want.looseOf(g)) {
			return fmt.Errorf("unplaced in group %d %v, want %v", g, list, want.looseOf(g))
		}
	}
	for i, list := range want.lists {
		at := Place(i)
		for _, item := range list {
			if l.Places[item] != at {
				return fmt.Errorf("item %d is in %d, want %d", item, l.Places[item], at)
			}
		}
		writes := !l.Live(at) || l.Slices[i].Written && l.Slices[i].Outcome != Deleted
		if !writes {
			list = nil
		}
		w.Sort(list)
		if have := l.Contents(at); !slices.Equal(have, list) || l.Writes(at) != writes {
			return fmt.Errorf("slice %d has %v and is written: %v; want %v, %v", at, have, l.Writes(at), list, writes)
		}
	}
	return nil
}

// TestOpen: a clean slice that is opened after Fill is written and has its items in order.
func TestOpen(t *testing.T) {
	w := &world{rules: Rules{Limits: packing.Limits{Max: 4}}, classes: []int32{0}}
	w.add(Slice{}, nil, []int32{3, 1, 2})
	w.add(Slice{}, nil, []int32{5})
	w.empty = make([]bool, 1)
	var l Layout
	w.begin(&l)
	l.Fill(w.rules, w.empty, w)
	if l.Open([]int32{0}, w); !l.Slices[0].Updated() || l.Slices[1].Updated() || l.Slices[1].Changes() ||
		!slices.Equal(l.Contents(0), []int32{1, 2, 0}) || len(l.Contents(1)) > 0 || l.Writes(Nowhere) {
		t.Errorf("%+v: %v %v", l.Slices, l.Contents(0), l.Contents(1))
	}
	l.Slices[0].Outcome = Deleted
	if l.Slices[0].Updated() || !l.Slices[0].Changes() {
		t.Errorf("%+v is deleted", l.Slices[0])
	}
}

// TestCandidates: of each identity the first 16 free items of its row are candidates, whichever have been taken since, and
// asking again and again does not look at the same taken ones.
func TestCandidates(t *testing.T) {
	rows := [][]int32{nil, nil, nil}
	for i := range int32(100) {
		rows[0] = append(rows[0], i)
	}
	rows[1], rows[2] = []int32{100, 101}, rows[0][:16]
	taken, looks := map[int32]bool{}, 0
	c := NewCandidates(func(id int32) []int32 { return rows[id] }, func(i int32) bool { looks++; return !taken[i] })
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
		if have := c.Of([]int32{-7}, id); !slices.Equal(have, append([]int32{-7}, want...)) {
			t.Fatalf("identity %d: %v, want %v", id, have, want)
		}
		taken[int32(r.Intn(102))] = true
	}
	if most := calls*16 + 100 + 2*calls; looks > most {
		t.Errorf("%d looks, want at most %d", looks, most)
	}
}

// Mutants of gremlins that no test can notice: those that change how large a list of contents is at first; and a row of just 16
// items that is copied although it need not be.
