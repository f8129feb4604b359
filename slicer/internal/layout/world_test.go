package layout_test

import (
	"math/rand"
	"slices"

	. "github.com/slicewright/slicewright/slicer/internal/layout"
	"github.com/slicewright/slicewright/slicer/internal/packing"
)

// world is what Fill is given. It is Items, too: each method searches all there is. Identities are in canonical order.
type world struct {
	rules   Rules
	empty   []bool  // of each class: it has no items, and keeps an empty slice
	classes []int32 // of each group
	items   []item
	slices  []Slice
	held    [][]int32 // of each slice: identities
}

type item struct {
	group, identity int32
	home            Place
}

func (w *world) Groups() int             { return len(w.classes) }
func (w *world) Group(item int32) int32  { return w.items[item].group }
func (w *world) Class(group int32) int32 { return w.classes[group] }
func (w *world) Held(slice int32) []int32 {
	return slices.Clone(w.held[slice])
}

func (w *world) Sort(items []int32) {
	slices.SortFunc(items, func(a, b int32) int { return int(w.items[a].identity - w.items[b].identity) })
}

func (w *world) Row(identity int32) (row []int32) {
	for g := range w.classes {
		if i := w.At(identity, int32(g)); i != None {
			row = append(row, i)
		}
	}
	return row
}

func (w *world) At(identity, group int32) int32 {
	return int32(slices.IndexFunc(w.items, func(it item) bool { return it.identity == identity && it.group == group }))
}

// begin is the layout in which every item is at home.
func (w *world) begin(l *Layout) {
	l.Begin(len(w.items), len(w.slices))
	for _, it := range w.items {
		l.Places = append(l.Places, it.home)
	}
	l.Slices = append(l.Slices, w.slices...)
}

// add adds a slice that is home to some of a group's identities; none for an idle slice.
func (w *world) add(s Slice, held []int32, home []int32) {
	if s.Stay = int32(len(home)); len(home) == 0 {
		s.Group = None
	}
	for _, id := range home {
		w.items = append(w.items, item{s.Group, id, Place(len(w.slices))})
	}
	w.slices, w.held = append(w.slices, s), append(w.held, held)
}

// drawn is a world of up to three groups in two classes, and up to so many slices.
func drawn(r *rand.Rand, size int) *world {
	w := &world{rules: Rules{Limits: packing.Limits{Max: 1 + r.Intn(4), NoCreates: r.Intn(5) == 0}, Compact: r.Intn(3) == 0}}
	w.rules.DissolveUpTo = 1 + r.Intn(w.rules.Max)
	free := [][]int32{} // of each group: the identities that are not yet in it
	for range 1 + r.Intn(3) {
		class := int32(r.Intn(4) / 3)
		w.classes = append(w.classes, class)
		var ids []int32
		for _, id := range r.Perm(2 + r.Intn(8)) {
			ids = append(ids, class*100+int32(id))
		}
		free = append(free, ids)
	}
	slices.Sort(w.classes)
	for g := range free { // an identity has one class
		for i := range free[g] {
			free[g][i] = w.classes[g]*100 + free[g][i]%100
		}
	}
	take := func(g, n int) []int32 {
		n = min(n, len(free[g]))
		taken := free[g][:n]
		free[g] = free[g][n:]
		return taken
	}
	for range r.Intn(size + 1) {
		g := r.Intn(len(w.classes))
		s := Slice{Class: w.classes[g], Ports: int32(g), Group: int32(g), Written: r.Intn(2) == 0, Unlike: int32(r.Intn(4) * r.Intn(3))}
		home := take(g, r.Intn(2)*r.Intn(w.rules.Max+3))
		if r.Intn(3) == 0 {
			s.Ports = None
		}
		if len(home) == 0 && r.Intn(8) == 0 {
			s.Class, s.Ports = None, None
		}
		held := slices.Clone(home)
		for range r.Intn(5) {
			held = append(held, w.classes[g]*100+int32(r.Intn(10)))
		}
		w.add(s, held, home)
	}
	for g := range free {
		for _, id := range take(g, r.Intn(len(free[g])+1)) {
			w.items = append(w.items, item{int32(g), id, Nowhere})
		}
	}
	r.Shuffle(len(w.items), func(i, j int) { w.items[i], w.items[j] = w.items[j], w.items[i] })
	w.empty = []bool{r.Intn(2) == 0, r.Intn(2) == 0}
	for _, it := range w.items {
		w.empty[w.classes[it.group]] = false
	}
	return w
}
