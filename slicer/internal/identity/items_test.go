package identity

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestItems holds Items against a search of all items: which it keeps, which it takes for the same, and which it finds, in
// lists and one by one, in their group and in all. It is used again, as a pool does.
func TestItems(t *testing.T) {
	var all Items
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		all.Release()
		w.take(&all)
		for range rapid.IntRange(1, 2).Draw(t, "passes") {
			all.Rewind()
			for range rapid.IntRange(1, 3).Draw(t, "slices") {
				w.identify(&all, w.existing())
			}
		}
		list := w.existing()
		for i := range min(len(list), 20) {
			w.find(&all, &list[i])
		}
		order := rapid.Permutation(slices.Collect(countTo(len(w.kept)))).Draw(t, "to sort")
		all.Sort(order)
		if !slices.IsSortedFunc(order, func(a, b int32) int { return endpoint.Compare(w.kept[a].Endpoint, w.kept[b].Endpoint) }) {
			t.Fatal("not in canonical order")
		}
		if w.portSets.Release(); len(w.portSets.All()) > 0 {
			t.Fatal("groups are left")
		}
	})
}

// TestManyOfOneAddress: a search that would pass too many endpoints of one address makes Items hash all that tells
// endpoints apart, until they are released.
func TestManyOfOneAddress(t *testing.T) {
	var all Items
	for _, n := range []int{maxOthers + 1, maxOthers + 2, maxOthers + 1} {
		items := make([]Item, n)
		for i := range items {
			e := &discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: &corev1.ObjectReference{Name: fmt.Sprint(i)}}
			items[i] = Item{Endpoint: e, IP: endpoint.OnlyIPv4(e)}
		}
		if kept, again := all.Take(items, []Group{{}}); len(kept) != n || len(again) > 0 || all.hashAll != (n > maxOthers+1) {
			t.Errorf("of %d items %d are kept, %d are duplicates, all is hashed: %v", n, len(kept), len(again), all.hashAll)
		}
		for i := range items {
			if id, _ := all.id(items[i].Endpoint, 0, false); id != items[i].ID {
				t.Errorf("item %d of %d has identity %d, and %d is found", i, n, items[i].ID, id)
			}
		}
		all.Release()
	}
}

// world is drawn items of drawn groups, with what a search of all of them finds.
type world struct {
	t        *rapid.T
	portSets Groups
	groups   []Group
	items    []Item // as they come
	kept     []Item
	again    []Duplicate
}

// drawWorld draws items of one kind: such that many are alike, that share an address, that are all different, or that all have
// a UID. Some are in several groups.
func drawWorld(t *rapid.T) *world {
	w := &world{t: t}
	kind := rapid.SampledFrom([]string{"alike", "one address", "distinct", "Pods", "Pods, one twice"}).Draw(t, "kind")
	apart := rapid.SampledFrom([]int{0, 1000}).Draw(t, "groups apart")
	for g := range rapid.IntRange(1, 4).Draw(t, "groups") {
		ports := []endpoint.Port{{Number: int64(10 - g)}}
		for range 2 { // the same group
			if id := w.portSets.Intern(g%2, endpoint.APIPorts(ports)); int(id) != g || w.portSets.Find(g%2, ports) != id || w.portSets.Find(1-g%2, ports) != None {
				t.Fatalf("group %d is %d", g, id)
			}
		}
		for i := range rapid.SampledFrom([]int{0, 1, 5, 40}).Draw(t, "items") {
			w.items = append(w.items, Item{Endpoint: w.endpoint(kind, apart*g+i), Group: int32(g), Source: Source{int32(g), int32(i)}})
		}
	}
	before := slices.Clone(w.portSets.All())
	numbers := w.portSets.Sort()
	w.groups = w.portSets.All()
	for g := range before {
		n := int32(g)
		if numbers != nil {
			n = numbers[g]
		}
		if b := &before[g]; w.portSets.Find(int(b.Type), b.Ports) != n || w.groups[n].Type != b.Type || !slices.Equal(w.groups[n].Ports, b.Ports) {
			t.Fatalf("group %d is now %d: %+v, want %+v", g, n, w.groups[n], b)
		}
	}
	if !slices.IsSortedFunc(w.groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Ports[0].Number, b.Ports[0].Number))
	}) {
		t.Fatalf("not in the plan's order: %+v", w.groups)
	}
	for i := range w.items {
		if numbers != nil {
			w.items[i].Group = numbers[w.items[i].Group]
		}
	}
	if rapid.Bool().Draw(t, "shuffled") {
		w.items = rapid.Permutation(w.items).Draw(t, "order")
	}
	for i := range w.items {
		w.items[i].IP = endpoint.OnlyIPv4(w.items[i].Endpoint)
	}
	return w
}

func (w *world) endpoint(kind string, i int) *discoveryv1.Endpoint {
	e := &discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.%d.%d", i>>6, i&63)}}
	switch kind {
	case "alike":
		e.Addresses = slices.Clone(rapid.SampledFrom([][]string{
			{"10.0.0.1"}, {"10.0.0.2"}, {"010.0.0.1"}, {"fd00::1"}, {"FD00::1"}, {"10.0.0.1", "10.0.0.2"}, {"10.0.0.2", "10.0.0.1"}, {},
		}).Draw(w.t, "addresses"))
	case "one address":
		e.Addresses = []string{"10.0.0.1"}
	case "Pods, one twice":
		if i%1000 == 4 {
			i -= 2
		}
		fallthrough
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

// same is what one endpoint is in a group.
func (w *world) same(a, b *discoveryv1.Endpoint, g int32) bool {
	if w.groups[g].ByUID {
		return endpoint.UID(a) == endpoint.UID(b)
	}
	text := func(e *discoveryv1.Endpoint) string {
		target := corev1.ObjectReference{Name: "none"}
		if e.TargetRef != nil {
			target = corev1.ObjectReference{Kind: e.TargetRef.Kind, Namespace: e.TargetRef.Namespace, Name: e.TargetRef.Name}
		}
		return fmt.Sprintf("%q %q %q", endpoint.AddressSet(e.Addresses), endpoint.Text(e.Hostname), target)
	}
	return text(a) == text(b)
}

func (w *world) itemOf(e *discoveryv1.Endpoint, g int32) int32 {
	return int32(slices.IndexFunc(w.kept, func(it Item) bool { return it.Group == g && w.same(it.Endpoint, e, g) }))
}

// take gives the items to Items, as Compute does.
func (w *world) take(all *Items) {
	if rapid.Bool().Draw(w.t, "by UID") {
		IdentifyByUID(w.items, w.groups)
		for g := range w.groups {
			if w.groups[g].ByUID != w.byUID(int32(g)) {
				w.t.Fatalf("group %d by UID: %v", g, w.groups[g].ByUID)
			}
		}
	}
	for _, it := range w.items {
		if at := w.itemOf(it.Endpoint, it.Group); at >= 0 {
			w.again = append(w.again, Duplicate{Item: at, Endpoint: it.Endpoint, Source: it.Source})
		} else {
			w.kept = append(w.kept, it)
		}
	}
	kept, again := all.Take(slices.Clone(w.items), w.groups)
	if len(kept) != len(w.kept) || !slices.Equal(again, w.again) {
		w.t.Fatalf("%d items and %d duplicates, want %d and %d", len(kept), len(again), len(w.kept), len(w.again))
	}
	for i := range kept {
		if kept[i].Endpoint != w.kept[i].Endpoint || kept[i].Source != w.kept[i].Source {
			w.t.Fatalf("item %d is %+v, want %+v", i, kept[i], w.kept[i])
		}
	}
}

// byUID is what IdentifyByUID says of a group.
func (w *world) byUID(g int32) bool {
	known := map[string]bool{}
	for _, it := range w.items {
		uid := endpoint.UID(it.Endpoint)
		if it.Group == g && (uid == "" || known[uid]) {
			return false
		}
		known[uid] = known[uid] || it.Group == g
	}
	return true
}

func (w *world) identify(all *Items, list []discoveryv1.Endpoint) {
	g := int32(rapid.IntRange(0, len(w.groups)-1).Draw(w.t, "group"))
	found := all.Identify(list, g)
	if len(found) != len(list) {
		w.t.Fatalf("%d of %d", len(found), len(list))
	}
	for i, at := range found {
		if want := w.itemOf(&list[i], g); at.Item != want {
			w.t.Fatalf("%v of group %d is item %d, want %d", list[i].Addresses, g, at.Item, want)
		}
		if at.Exact != (at.Item != None && endpoint.Identical(w.kept[at.Item].Endpoint, &list[i])) {
			w.t.Fatalf("%+v is item %d to the letter: %v", list[i], at.Item, at.Exact)
		}
	}
}

// find looks for the item of each group, and for all items of each type.
func (w *world) find(all *Items, e *discoveryv1.Endpoint) {
	for g := range w.groups {
		if at, want := all.Identify([]discoveryv1.Endpoint{*e}, int32(g))[0].Item, w.itemOf(e, int32(g)); at != want {
			w.t.Fatalf("%v of group %d is item %d, want %d", e.Addresses, g, at, want)
		}
	}
	for typ := range int32(2) {
		var have, want []int32
		for _, id := range all.IDs(nil, e, typ) {
			row := all.Row(id)
			have = append(have, row...)
			for _, i := range row {
				if all.At(id, w.kept[i].Group) != i {
					w.t.Fatalf("item %d is not found by its identity", i)
				}
			}
			if !slices.IsSortedFunc(row, func(a, b int32) int { return int(w.kept[a].Group - w.kept[b].Group) }) {
				w.t.Fatalf("%v are not in the order of their groups", row)
			}
		}
		for i, it := range w.kept {
			if w.groups[it.Group].Type == typ && w.same(it.Endpoint, e, it.Group) {
				want = append(want, int32(i))
			}
		}
		if slices.Sort(have); !slices.Equal(have, want) {
			w.t.Fatalf("%v of type %d is items %d, want %d", e.Addresses, typ, have, want)
		}
	}
}

// existing draws endpoints that slices may hold: the items' own, copies, and others, in their order or another.
func (w *world) existing() []discoveryv1.Endpoint {
	var list []discoveryv1.Endpoint
	for _, it := range w.kept {
		switch e := it.Endpoint.DeepCopy(); rapid.IntRange(0, 7).Draw(w.t, "existing") {
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
