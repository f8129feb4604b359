package deduptest

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// strict is all that the kit can ask of a reader that shows everything.
var strict = Options{ShowsAll: true, Also: []string{"same-list"}}

// suiteOf has the histories that SLICEWRIGHT_SEED draws.
func suiteOf(t *testing.T, o Options, start func() Reader) *suite {
	t.Helper()
	k, err := newSuite(o, kit.Flags{Seed: uint64(nightly.Seed(t, 0))}, start)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// blamesNone fails with everything that a reader is blamed for.
func blamesNone(t *testing.T, o Options, start func() Reader) {
	t.Helper()
	o.Histories = nightly.Cases(t, nightly.Usual(cmp.Or(o.Histories, 500), 3000))
	found, err := suiteOf(t, o, start).check()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f.Text())
	}
}

func TestIndex(t *testing.T) {
	blamesNone(t, strict, func() Reader {
		var ix dedup.Index
		see := func() []Seen {
			ix.Flush()
			return seenIn(ix.View())
		}
		return Reader{
			Event: func(e Event) {
				if e.New != nil {
					ix.Upsert(e.New)
				} else {
					ix.Delete(nameOf(e.Old))
				}
			},
			See: see,
			Use: func(at routing.Location) []Seen {
				see()
				return usedIn(ix.View(), at)
			},
		}
	})
}

// TestCache has a reader with values of its own, which are copies.
func TestCache(t *testing.T) {
	blamesNone(t, strict, func() Reader {
		cache := dedup.NewCache[types.NamespacedName, Seen](func(c entry) (conditions.State, *corev1.ObjectReference) {
			return conditions.Of(c.endpoint.Conditions), c.endpoint.TargetRef
		})
		services := map[sliceName]types.NamespacedName{}
		return Reader{
			Event: func(e Event) {
				name := nameOf(cmp.Or(e.New, e.Old))
				if old, found := services[name]; found && (e.New == nil || old != serviceOf(e.New)) {
					cache.Delete(old, name)
					delete(services, name)
				}
				if e.New == nil || serviceOf(e.New).Name == "" {
					return
				}
				services[name] = serviceOf(e.New)
				cache.Put(services[name], e.New, func(yield func(Seen, entry) bool) {
					for _, c := range copiesIn(e.New) {
						if !yield(c.seen.place(), c) {
							return
						}
					}
				})
			},
			See: func() (all []Seen) {
				for _, service := range slices.Compact(slices.SortedFunc(maps.Values(services), compareNames)) {
					for _, c := range cache.All(service) {
						all = append(all, c.seen)
					}
				}
				slices.SortFunc(all, Seen.compare)
				return all
			},
		}
	})
}

func seenIn(view dedup.View) (all []Seen) {
	for port, e := range view.All() {
		all = append(all, seenOf(port, e))
	}
	return all
}

func seenOf(port dedup.ServicePortName, e dedup.Endpoint) Seen {
	return Seen{
		Service: port.Service, Port: port.Port, Protocol: port.Protocol, Address: e.Host(), Number: e.Port,
		State: stateOf(e.Conditions.API()),
	}
}

func usedIn(view dedup.View, at routing.Location) (all []Seen) {
	for _, service := range slices.Collect(view.Services()) {
		for port := range view.Ports(service) {
			list := slices.Collect(view.Endpoints(port))
			for _, e := range routing.Route(list, at, routing.Policy{}) {
				all = append(all, seenOf(port, e))
			}
		}
	}
	return all
}

// naive is a right reader by hand: it keeps slices by name, and reads them anew for each look. Each
// test changes one of its habits.
type naive struct {
	slices map[sliceName]*discoveryv1.EndpointSlice
	key    func(*discoveryv1.EndpointSlice) sliceName
	heeds  func(Event) bool
	reads  func(*entry) bool // changes a copy, or leaves it out
	place  func(Seen) Seen
	target func(entry) any // nil if there is none
	shows  func([]Seen) []Seen
	group  func(entry) any // hints are obeyed for each group
	hinted func(c entry, by int) bool
	serves func(c entry, by int, at routing.Location) bool
}

// entry is an endpoint of a slice behind one port.
type entry struct {
	seen     Seen
	endpoint *discoveryv1.Endpoint
	slice    *discoveryv1.EndpointSlice
}

func newNaive() *naive {
	return &naive{
		slices: map[sliceName]*discoveryv1.EndpointSlice{},
		key:    nameOf,
		heeds:  func(Event) bool { return true },
		reads:  func(*entry) bool { return true },
		place:  Seen.place,
		target: func(c entry) any {
			if c.endpoint.TargetRef == nil {
				return nil
			}
			return endpoint.TargetOf(c.endpoint)
		},
		shows:  func(all []Seen) []Seen { return all },
		group:  func(c entry) any { return c.seen.family() },
		hinted: func(c entry, by int) bool { return hintsOf(c.endpoint)[by] != "" },
		serves: func(c entry, by int, at routing.Location) bool {
			return claim{hints: hintsOf(c.endpoint)}.serves(by, at)
		},
	}
}

// with returns a function that starts a reader with a habit.
func with(habit func(*naive)) func() Reader {
	return func() Reader {
		n := newNaive()
		habit(n)
		return Reader{Event: n.event, See: n.see, Use: n.use}
	}
}

func (n *naive) event(e Event) {
	if name := n.key(cmp.Or(e.New, e.Old)); !n.heeds(e) {
		return
	} else if e.New == nil {
		delete(n.slices, name)
	} else {
		n.slices[name] = e.New
	}
}

func nameOf(s *discoveryv1.EndpointSlice) sliceName {
	return sliceName{Namespace: s.Namespace, Name: s.Name}
}

func serviceOf(s *discoveryv1.EndpointSlice) types.NamespacedName {
	return types.NamespacedName{Namespace: s.Namespace, Name: s.Labels[discoveryv1.LabelServiceName]}
}

func versionOf(s *discoveryv1.EndpointSlice) int {
	n, _ := strconv.Atoi(s.ResourceVersion) // the API server's
	return n
}

// copiesIn reads the first addresses of an IP slice, for ports with a number.
func copiesIn(s *discoveryv1.EndpointSlice) (all []entry) {
	if s.AddressType == discoveryv1.AddressTypeFQDN || serviceOf(s).Name == "" {
		return nil
	}
	for i := range s.Ports {
		for j := range s.Endpoints {
			seen := placeOf(s, &s.Ports[i], s.Endpoints[j].Addresses[0])
			seen.State = stateOf(s.Endpoints[j].Conditions)
			if s.Ports[i].Port != nil {
				all = append(all, entry{seen, &s.Endpoints[j], s})
			}
		}
	}
	return all
}

// chosen returns the copy that counts at each place: of one target the newest one, and then the
// most useful one.
func (n *naive) chosen() (all []entry) {
	at := map[Seen][]entry{}
	var order []Seen
	for _, name := range slices.SortedFunc(maps.Keys(n.slices), compareNames) {
		for _, c := range copiesIn(n.slices[name]) {
			if !n.reads(&c) {
				continue
			}
			p := n.place(c.seen)
			if at[p] == nil {
				order = append(order, p)
			}
			at[p] = append(at[p], c)
		}
	}
	for _, p := range order {
		list := slices.DeleteFunc(slices.Clone(at[p]), func(c entry) bool {
			return slices.ContainsFunc(at[p], func(other entry) bool {
				target := n.target(c)
				return target != nil && n.target(other) == target && versionOf(other.slice) > versionOf(c.slice)
			})
		})
		all = append(all, slices.MaxFunc(list, func(a, b entry) int {
			return cmp.Compare(usefulness(a.endpoint.Conditions), usefulness(b.endpoint.Conditions))
		}))
	}
	return all
}

func (n *naive) see() (all []Seen) {
	for _, c := range n.chosen() {
		all = append(all, c.seen)
	}
	return n.shows(all)
}

func (n *naive) use(at routing.Location) (all []Seen) {
	list := n.chosen()
	for _, c := range list {
		others := slices.DeleteFunc(slices.Clone(list), func(o entry) bool { return n.group(o) != n.group(c) })
		by := slices.IndexFunc([]int{forNodes, forZones}, func(by int) bool {
			return !slices.ContainsFunc(others, func(o entry) bool { return !n.hinted(o, by) }) &&
				slices.ContainsFunc(others, func(o entry) bool { return n.serves(o, by, at) })
		})
		if by < 0 || n.serves(c, by, at) {
			all = append(all, c.seen)
		}
	}
	return all
}

// onlyReady is what a reader with ShowsAll false shows.
func onlyReady(all []Seen) []Seen {
	return slices.DeleteFunc(all, func(s Seen) bool { return s.State != isReady })
}

// readyIf shows the endpoints whose conditions count as ready.
func readyIf(ready func(conditions.State) bool) func(*naive) {
	return func(n *naive) {
		n.reads = func(c *entry) bool {
			c.seen.State = ""
			return ready(conditions.Of(c.endpoint.Conditions))
		}
	}
}
