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

// TestFinderTwice: an endpoint that is there twice is found once, of whatever address.
func TestFinderTwice(t *testing.T) {
	for _, address := range []string{"10.0.0.1", "fd00::1", "web.example"} {
		a, b := at(address), at(address)
		var f Finder
		kept, again := f.Take([]Item{
			{Endpoint: &a, IP: endpoint.OnlyIPv4(&a)}, {Endpoint: &b, IP: endpoint.OnlyIPv4(&b), Source: Source{Endpoint: 1}},
		}, []Group{{}}, false)
		if len(kept) != 1 || len(again) != 1 || again[0] != (Duplicate{Endpoint: &b, Source: Source{Endpoint: 1}}) {
			t.Errorf("%s: %d kept, %d again", address, len(kept), len(again))
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
