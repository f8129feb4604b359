package items

import (
	"fmt"
	"slices"

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
