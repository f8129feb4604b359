package slicer

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestIndex holds the index against a search of all items: which it keeps, which it takes for the
// same, and which it finds, in lists and one by one, on their port set and on all. It is used
// again, as a pool does.
func TestIndex(t *testing.T) {
	var all index
	rapid.Check(t, func(t *rapid.T) {
		w := drawIndexCase(t)
		all.release()
		w.take(&all)
		for range rapid.IntRange(1, 3).Draw(t, "slices") {
			w.identify(&all, w.existing())
		}
		list := w.existing()
		for i := range min(len(list), 20) {
			w.find(&all, &list[i])
		}
		order := rapid.Permutation(slices.Collect(countTo(len(w.kept)))).Draw(t, "to sort")
		all.sort(order)
		if !slices.IsSortedFunc(order, func(a, b int32) int {
			return endpoint.Compare(w.kept[a].endpoint,
				w.kept[b].endpoint)
		}) {
			t.Fatal("not in canonical order")
		}
		if w.table.release(); len(w.table.all) > 0 {
			t.Fatal("port sets are left")
		}
	})
}

// TestManyOfOneAddress: a search that would pass too many endpoints of one address makes the index
// hash all that tells endpoints apart, until they are released.
func TestManyOfOneAddress(t *testing.T) {
	var all index
	for _, n := range []int{maxOthers + 1, maxOthers + 2, maxOthers + 1} {
		items := make([]item, n)
		for i := range items {
			e := &discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"},
				TargetRef: &corev1.ObjectReference{Name: fmt.Sprint(i)}}
			items[i] = item{endpoint: e, ip: endpoint.OnlyIPv4(e)}
		}
		if kept, again := all.take(items, []wantedPorts{{}}); len(kept) != n || len(again) > 0 ||
			all.hashAll != (n > maxOthers+1) {
			t.Errorf("of %d items %d are kept, %d are duplicates, all is hashed: %v", n, len(kept), len(again),
				all.hashAll)
		}
		for i := range items {
			if id, _ := all.identity(items[i].endpoint, 0); id != items[i].id {
				t.Errorf("item %d of %d has identity %d, and %d is found", i, n, items[i].id, id)
			}
		}
		all.release()
	}
}

// indexCase is drawn items of drawn groups, with what a search of all of them finds.
type indexCase struct {
	t        *rapid.T
	table    portSetTable
	portSets []wantedPorts
	items    []item // as they come
	kept     []item
	again    []item
}

// drawIndexCase draws items of one kind: such that many are alike, that share an address, that are
// all different, or that all have a UID. Some are in several groups.
func drawIndexCase(t *rapid.T) *indexCase {
	w := &indexCase{t: t}
	kind := rapid.SampledFrom([]string{"alike", "one address", "distinct", "Pods"}).Draw(t, "kind")
	apart := rapid.SampledFrom([]int{0, 1000}).Draw(t, "groups apart")
	for g := range rapid.IntRange(1, 4).Draw(t, "groups") {
		ports := []endpoint.Port{{Number: int64(10 - g)}}
		for range 2 { // the same group
			if id := w.table.add(int32(g%2), endpoint.APIPorts(ports)); int(id) != g ||
				w.table.find(int32(g%2), ports) != id || w.table.find(int32(1-g%2), ports) != none {
				t.Fatalf("group %d is %d", g, id)
			}
		}
		for i := range rapid.SampledFrom([]int{0, 1, 5, 40}).Draw(t, "items") {
			w.items = append(w.items, item{endpoint: w.endpoint(kind, apart*g+i), portSet: int32(g),
				source: source{int32(g), int32(i)}})
		}
	}
	before := slices.Clone(w.table.all)
	numbers := w.table.sort()
	w.portSets = w.table.all
	for g := range before {
		n := int32(g)
		if numbers != nil {
			n = numbers[g]
		}
		if b := &before[g]; w.table.find(b.typ, b.ports) != n || w.portSets[n].typ != b.typ ||
			!slices.Equal(w.portSets[n].ports, b.ports) {
			t.Fatalf("group %d is now %d: %+v, want %+v", g, n, w.portSets[n], b)
		}
	}
	if !slices.IsSortedFunc(w.portSets, func(a, b wantedPorts) int {
		return cmp.Or(cmp.Compare(a.typ, b.typ), cmp.Compare(a.ports[0].Number, b.ports[0].Number))
	}) {
		t.Fatalf("not in the plan's order: %+v", w.portSets)
	}
	for i := range w.items {
		if numbers != nil {
			w.items[i].portSet = numbers[w.items[i].portSet]
		}
	}
	if rapid.Bool().Draw(t, "shuffled") {
		w.items = rapid.Permutation(w.items).Draw(t, "order")
	}
	for i := range w.items {
		w.items[i].ip = endpoint.OnlyIPv4(w.items[i].endpoint)
	}
	return w
}

func (w *indexCase) endpoint(kind string, i int) *discoveryv1.Endpoint {
	e := &discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.%d.%d", i>>6, i&63)}}
	switch kind {
	case "alike":
		e.Addresses = slices.Clone(rapid.SampledFrom([][]string{
			{"10.0.0.1"}, {"10.0.0.2"}, {"010.0.0.1"}, {"fd00::1"}, {"FD00::1"}, {"10.0.0.1", "10.0.0.2"}, {"10.0.0.2", "10.0.0.1"}, {},
		}).Draw(w.t, "addresses"))
	case "one address":
		e.Addresses = []string{"10.0.0.1"}
	case "Pods":
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint(i))}
		return e
	}
	switch rapid.IntRange(0, 5).Draw(w.t, "target") {
	case 0:
	case 1:
		host := rapid.SampledFrom([]string{"", "a", "b"}).Draw(w.t, "hostname")
		e.Hostname = &host
	default:
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint(i))}
	}
	return e
}

// same reports whether two endpoints have one identity.
func (w *indexCase) same(a, b *discoveryv1.Endpoint) bool {
	text := func(e *discoveryv1.Endpoint) string {
		target := corev1.ObjectReference{Name: "none"}
		if e.TargetRef != nil {
			target = corev1.ObjectReference{Kind: e.TargetRef.Kind, Namespace: e.TargetRef.Namespace,
				Name: e.TargetRef.Name}
		}
		return fmt.Sprintf("%q %q %q", endpoint.AddressSet(e.Addresses), endpoint.Text(e.Hostname), target)
	}
	return text(a) == text(b)
}

func (w *indexCase) itemOf(e *discoveryv1.Endpoint, g int32) int32 {
	return int32(slices.IndexFunc(w.kept, func(it item) bool { return it.portSet == g && w.same(it.endpoint, e) }))
}

// take gives the items to the index, as Compute does.
func (w *indexCase) take(all *index) {
	for _, it := range w.items {
		if w.itemOf(it.endpoint, it.portSet) >= 0 {
			w.again = append(w.again, it)
		} else {
			w.kept = append(w.kept, it)
		}
	}
	kept, again := all.take(slices.Clone(w.items), w.portSets)
	if len(kept) != len(w.kept) || !slices.EqualFunc(again, w.again,
		func(a, b item) bool { return a.endpoint == b.endpoint }) {
		w.t.Fatalf("%d items and %d duplicates, want %d and %d", len(kept), len(again), len(w.kept), len(w.again))
	}
	for i := range kept {
		if kept[i].endpoint != w.kept[i].endpoint || kept[i].source != w.kept[i].source {
			w.t.Fatalf("item %d is %+v, want %+v", i, kept[i], w.kept[i])
		}
	}
}

func (w *indexCase) identify(all *index, list []discoveryv1.Endpoint) {
	g := int32(rapid.IntRange(0, len(w.portSets)-1).Draw(w.t, "group"))
	found := all.itemsOf(nil, list, g)
	if len(found) != len(list) {
		w.t.Fatalf("%d of %d", len(found), len(list))
	}
	for i, at := range found {
		if want := w.itemOf(&list[i], g); at.item != want {
			w.t.Fatalf("%v of group %d is item %d, want %d", list[i].Addresses, g, at.item, want)
		}
		if at.exact != (at.item != none && endpoint.Identical(w.kept[at.item].endpoint, &list[i])) {
			w.t.Fatalf("%+v is item %d to the letter: %v", list[i], at.item, at.exact)
		}
	}
}

// find looks for the item of each group, and for all items of each type.
func (w *indexCase) find(all *index, e *discoveryv1.Endpoint) {
	for g := range w.portSets {
		if at, want := all.itemsOf(nil, []discoveryv1.Endpoint{*e}, int32(g))[0].item, w.itemOf(e,
			int32(g)); at != want {
			w.t.Fatalf("%v of group %d is item %d, want %d", e.Addresses, g, at, want)
		}
	}
	for typ := range int32(2) {
		var have, want []int32
		if id, _ := all.identity(e, typ); id != none {
			row := all.row(id)
			have = append(have, row...)
			for _, i := range row {
				if all.itemOf(id, w.kept[i].portSet) != i {
					w.t.Fatalf("item %d is not found by its identity", i)
				}
			}
			if !slices.IsSortedFunc(row, func(a, b int32) int { return int(w.kept[a].portSet - w.kept[b].portSet) }) {
				w.t.Fatalf("%v are not in the order of their groups", row)
			}
		}
		for i, it := range w.kept {
			if w.portSets[it.portSet].typ == typ && w.same(it.endpoint, e) {
				want = append(want, int32(i))
			}
		}
		if slices.Sort(have); !slices.Equal(have, want) {
			w.t.Fatalf("%v of type %d is items %d, want %d", e.Addresses, typ, have, want)
		}
	}
}

// existing draws endpoints that slices may hold: the items' own, copies, and others, in their order
// or another.
func (w *indexCase) existing() []discoveryv1.Endpoint {
	var list []discoveryv1.Endpoint
	for _, it := range w.kept {
		switch e := it.endpoint.DeepCopy(); rapid.IntRange(0, 7).Draw(w.t, "existing") {
		case 0:
		case 1:
			list = append(list, *w.endpoint("alike", 1))
		case 2:
			slices.Reverse(e.Addresses)
			zone := "z"
			e.Zone = &zone
			list = append(list, *e)
		case 3:
			e.TargetRef = nil
			list = append(list, *e)
		case 4:
			e.Addresses = []string{"10.8.0.1"}
			list = append(list, *e)
		default:
			list = append(list, *e)
		}
	}
	if rapid.Bool().Draw(w.t, "in another order") {
		list = rapid.Permutation(list).Draw(w.t, "order of existing")
	}
	return list
}

func countTo(n int) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for i := range n {
			if !yield(int32(i)) {
				return
			}
		}
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

// TestHashesSpread: addresses at equal distances fill a table evenly, so that a search takes few
// steps.
func TestHashesSpread(test *testing.T) {
	const n, places = 10000, 1 << 14
	for range 10 {
		var t table
		t.reset(0)
		for _, apart := range []uint32{1, 3, 1 << 8, 3 << 8, 1 << 12, 3 << 10, 1 << 16} {
			taken := map[uint64]bool{}
			for i := range uint32(n) {
				taken[t.ip((i+1)*apart)%places] = true
			}
			if len(taken) < 7000 { // at random about 7500
				test.Errorf("%x apart, %d hashes fall on %d of %d places", apart, n, len(taken), places)
			}
		}
	}
}
