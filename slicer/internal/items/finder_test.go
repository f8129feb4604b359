package items

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// world is drawn items of drawn groups, with what a search of all of them finds.
type world struct {
	t      *rapid.T
	groups []Group
	own    [][]discoveryv1.Endpoint // of each group, what its items point to
	items  []Item                   // as they come
	kept   []Item
	again  []Duplicate
}

// drawWorld draws items of one kind: such that many are alike, that share an address, whose addresses ascend or are all
// different, or that all have a UID.
func drawWorld(t *rapid.T) *world {
	w := &world{t: t}
	kind := rapid.SampledFrom([]string{"alike", "one address", "ascending", "distinct", "distinct, far apart", "Pods", "Pods, one twice"}).Draw(t, "kind")
	for g := range rapid.IntRange(1, 3).Draw(t, "groups") {
		w.groups = append(w.groups, Group{Type: int32(g % 2)})
		own := make([]discoveryv1.Endpoint, rapid.SampledFrom([]int{0, 1, 5, 70, 200}).Draw(t, "items"))
		for i := range own {
			own[i] = *w.endpoint(kind, 1000*g+i)
			w.items = append(w.items, Item{Endpoint: &own[i], Group: int32(g), Source: Source{int32(g), int32(i)}})
		}
		w.own = append(w.own, own)
	}
	if kind != "ascending" && rapid.Bool().Draw(t, "shuffled") {
		w.items = rapid.Permutation(w.items).Draw(t, "order")
	}
	for i := range w.items {
		w.items[i].IP = endpoint.OnlyIPv4(w.items[i].Endpoint)
	}
	return w
}

const odd = "010.0.0.3" // 10.0.0.3 as nobody should spell it

func (w *world) endpoint(kind string, i int) *discoveryv1.Endpoint {
	e := &discoveryv1.Endpoint{}
	switch kind {
	case "alike":
		e.Addresses = slices.Clone(rapid.SampledFrom([][]string{
			{"10.0.0.1"}, {"10.0.0.2"}, {"010.0.0.1"}, {"fd00::1"}, {"FD00::1"}, {"10.0.0.1", "10.0.0.2"}, {"10.0.0.2", "10.0.0.1"}, {},
		}).Draw(w.t, "addresses"))
	case "one address":
		e.Addresses = []string{"10.0.0.1"}
	case "Pods", "Pods, one twice":
		pod := i
		if i%1000 == 4 && kind != "Pods" {
			pod = i - 2
		}
		e.Addresses = []string{fmt.Sprintf("10.0.%d.%d", i>>6, i&63)}
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint(pod))}
		return e
	case "ascending", "distinct":
		e.Addresses = []string{fmt.Sprintf("10.0.%d.%d", i>>6, i&63)}
		if i == 3 && kind == "distinct" && rapid.Bool().Draw(w.t, "spelt otherwise") {
			e.Addresses[0] = odd
		}
	case "distinct, far apart":
		e.Addresses = []string{fmt.Sprintf("10.%d.%d.1", i%256, i/256)}
	}
	switch rapid.IntRange(0, 9).Draw(w.t, "target") {
	case 0:
	case 1:
		e.Hostname = new(string)
		*e.Hostname = rapid.SampledFrom([]string{"", "a", "b"}).Draw(w.t, "hostname")
	case 2:
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: "web-0", UID: "0"}
	case 3:
		e.TargetRef = &corev1.ObjectReference{Kind: "VM", Name: fmt.Sprint("web-", i)}
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
	return endpoint.SameEndpoint(a, b)
}

func (w *world) find(e *discoveryv1.Endpoint, g int32) int32 {
	return int32(slices.IndexFunc(w.kept, func(it Item) bool { return it.Group == g && w.same(it.Endpoint, e, g) }))
}

// keep fills kept and again.
func (w *world) keep() {
	for _, it := range w.items {
		if at := w.find(it.Endpoint, it.Group); at >= 0 {
			w.again = append(w.again, Duplicate{Item: at, Endpoint: it.Endpoint, Source: it.Source})
		} else {
			w.kept = append(w.kept, it)
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

// ascends is what the caller says of the items.
func (w *world) ascends() bool {
	for i, it := range w.items {
		if it.IP == 0 || i > 0 && !(it.Group > w.items[i-1].Group || it.Group == w.items[i-1].Group && it.IP > w.items[i-1].IP) {
			return false
		}
	}
	return true
}

// take gives the items to a Finder, as Compute does.
func (w *world) take(f *Finder) {
	if rapid.Bool().Draw(w.t, "by UID") {
		IdentifyByUID(w.items, w.groups)
		for g := range w.groups {
			if w.groups[g].ByUID != w.byUID(int32(g)) {
				w.t.Fatalf("group %d by UID: %v", g, w.groups[g].ByUID)
			}
		}
	}
	w.keep()
	kept, again := f.Take(slices.Clone(w.items), w.groups, w.ascends())
	if !slices.Equal(kept, w.kept) || !slices.Equal(again, w.again) {
		w.t.Fatalf("%d items and %d duplicates, want %d and %d", len(kept), len(again), len(w.kept), len(w.again))
	}
	for i := range kept {
		g := &w.groups[kept[i].Group]
		if g.Count++; g.Count == 1 {
			g.First = int32(i)
		}
	}
}

// existing draws endpoints that slices may hold: the items' own, copies, and others, in their order or another.
func (w *world) existing() []discoveryv1.Endpoint {
	if own := rapid.SampledFrom(w.own).Draw(w.t, "own"); rapid.IntRange(0, 3).Draw(w.t, "own themselves") == 0 {
		return own
	}
	var list []discoveryv1.Endpoint
	for _, it := range w.kept {
		switch e := it.Endpoint.DeepCopy(); rapid.IntRange(0, 9).Draw(w.t, "existing") {
		case 0:
		case 1:
			list = append(list, *w.endpoint("alike", 1))
		case 2:
			list = append(list, *w.endpoint("distinct", rapid.IntRange(0, 300).Draw(w.t, "foreign")))
		case 3:
			e.Addresses = slices.Clone(e.Addresses)
			slices.Reverse(e.Addresses)
			e.Zone = new(string)
			*e.Zone = "z"
			list = append(list, *e)
		case 4:
			e.TargetRef = nil
			list = append(list, *e)
		case 5:
			e.Addresses = []string{"10.8.0.1"}
			list = append(list, *e)
		default:
			if len(e.Addresses) == 1 && e.Addresses[0] == odd {
				e.Addresses[0] = endpoint.Canonical(odd)
			}
			list = append(list, *e)
		}
	}
	switch rapid.IntRange(0, 3).Draw(w.t, "order of existing") {
	case 0:
		slices.Reverse(list)
	case 1:
		list = rapid.Permutation(list).Draw(w.t, "existing in another order")
	}
	return list
}

// TestFinder holds a Finder against a search of all items: which it keeps, which it takes for the same, and which it finds, in
// lists and one by one, in their group and in all. It is used again, as a pool does.
func TestFinder(t *testing.T) {
	var f Finder
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		f.Release()
		w.take(&f)
		for range rapid.IntRange(1, 2).Draw(t, "passes") {
			f.Rewind()
			for range rapid.IntRange(1, 3).Draw(t, "slices") {
				w.identify(&f, w.existing())
			}
		}
		if hasher := f.Hasher(); hasher.String("a") == hasher.String("b") { // it has a seed, or this panics
			t.Fatal("all texts have one hash")
		}
		list := w.existing()
		for i := range min(len(list), 20) {
			w.lookup(&f, &list[i])
		}
	})
}

func (w *world) identify(f *Finder, list []discoveryv1.Endpoint) {
	g := int32(rapid.IntRange(0, len(w.groups)-1).Draw(w.t, "group"))
	found := f.Identify(list, g)
	if len(found) != len(list) {
		w.t.Fatalf("%d of %d", len(found), len(list))
	}
	for i, at := range found {
		if want := w.find(&list[i], g); at.Item != want {
			w.t.Fatalf("%v of group %d is item %d, want %d", list[i].Addresses, g, at.Item, want)
		}
		if at.Exact && (at.Item == None || w.kept[at.Item].Endpoint != &list[i] && !endpoint.Identical(w.kept[at.Item].Endpoint, &list[i])) {
			w.t.Fatalf("%+v is taken for %+v to the letter", list[i], w.kept[at.Item].Endpoint)
		}
	}
}

func (w *world) lookup(f *Finder, e *discoveryv1.Endpoint) {
	for g := range w.groups {
		if at, want := f.Lookup(e, int32(g)), w.find(e, int32(g)); at != want {
			w.t.Fatalf("%v of group %d is item %d, want %d", e.Addresses, g, at, want)
		}
	}
	for typ := range int32(2) {
		var have, want []int32
		f.ByIdentity().Each(e, typ, func(i int32) { have = append(have, i) })
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

// TestFinderInOrder: endpoints in the order of the items are found to the letter, the items' own and copies, with gaps and
// foreign ones between, without a table.
func TestFinderInOrder(t *testing.T) {
	own := make([]discoveryv1.Endpoint, 200)
	var all []Item
	for i := range own {
		own[i] = at(fmt.Sprintf("10.0.0.%d", i))
		all = append(all, Item{Endpoint: &own[i], IP: endpoint.OnlyIPv4(&own[i])})
	}
	copies := make([]discoveryv1.Endpoint, len(own))
	for i := range own {
		own[i].DeepCopyInto(&copies[i])
	}
	gaps := slices.Concat(copies[:50], []discoveryv1.Endpoint{at("10.9.0.1")}, copies[60:])
	for name, list := range map[string][]discoveryv1.Endpoint{"own": own, "copies": copies, "gaps": gaps} {
		var f Finder
		groups := []Group{{Count: int32(len(own))}}
		f.Take(all, groups, true)
		f.Rewind()
		misses := 0
		for start := 0; start < len(list); start += 40 { // the next slice goes on where the last one ended
			end := min(start+40, len(list))
			found := f.Identify(list[start:end], 0)
			if len(found) != end-start {
				t.Fatalf("%s: %d of %d", name, len(found), end-start)
			}
			for j, at := range found {
				if !at.Exact {
					misses++
				}
				if at.Item != None && own[at.Item].Addresses[0] != list[start+j].Addresses[0] {
					t.Fatalf("%s: %v is item %d", name, list[start+j].Addresses, at.Item)
				}
			}
		}
		if want := map[string]int{"gaps": 2}[name]; misses != want || f.indexed {
			t.Errorf("%s: %d of %d are not found to the letter, want %d; table: %v", name, misses, len(list), want, f.indexed)
		}
	}
}

// TestFinderNotByAddress: items that go by more than the text of an address are found where nobody has that.
func TestFinderNotByAddress(t *testing.T) {
	pod := func(address, uid string) *discoveryv1.Endpoint {
		return &discoveryv1.Endpoint{Addresses: []string{address}, TargetRef: &corev1.ObjectReference{UID: types.UID(uid)}}
	}
	for why, row := range map[string]struct {
		items  []*discoveryv1.Endpoint
		byUID  bool
		lookup *discoveryv1.Endpoint
	}{
		"an odd item":     {[]*discoveryv1.Endpoint{pod("10.0.0.1", ""), pod(odd, "")}, false, pod("10.0.0.3", "")},
		"an odd endpoint": {[]*discoveryv1.Endpoint{pod("10.0.0.4", ""), pod("10.0.0.3", "")}, false, pod(odd, "")},
		"a moved Pod":     {[]*discoveryv1.Endpoint{pod("10.0.0.2", "a"), pod("10.0.0.1", "b")}, true, pod("10.0.0.3", "b")},
	} {
		var all []Item
		for _, e := range row.items {
			all = append(all, Item{Endpoint: e, IP: endpoint.OnlyIPv4(e)})
		}
		var f Finder
		f.Take(all, []Group{{ByUID: row.byUID}}, false)
		if i := f.Lookup(row.lookup, 0); i != 1 {
			t.Errorf("%s: item %d", why, i)
		}
	}
}
