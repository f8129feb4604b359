package deduptest_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// check plays histories that the seed of the environment draws.
func check(t *testing.T, o deduptest.Options, start func() deduptest.Reader) []deduptest.Finding {
	t.Helper()
	found, err := deduptest.Check(seeded(t, o), start)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// breaking wants a guarantee to be found broken: in the history that showed it once, in a few,
// which most mistakes need, or in all.
func breaking(t *testing.T, o deduptest.Options, start func() deduptest.Reader, guarantee, replay string) {
	t.Helper()
	var causes []string
	for _, o.Histories = range []int{1, 100, 2000} {
		if o.Replay = ""; o.Histories == 1 {
			o.Replay = replay
		}
		for _, f := range check(t, o, start) {
			if causes = append(causes, f.Cause); f.Guarantee == guarantee {
				t.Log(f)
				return
			}
		}
	}
	t.Errorf("%s is not found broken: %q", guarantee, causes)
}

// TestChangedSlicesAreRestored has a reader that empties the slice of an event when all has been
// asked, and is right otherwise.
func TestChangedSlicesAreRestored(t *testing.T) {
	nightly.Slow(t)
	findings := check(t, deduptest.Options{ShowsAll: true, Histories: 400}, func() deduptest.Reader {
		r, last := merging(dedup.Options{}), &discoveryv1.EndpointSlice{}
		event, use := r.Event, r.Use
		r.Event = func(e deduptest.Event) {
			event(e)
			last = cmp.Or(e.New, e.Old)
		}
		r.Use = func(zone string) []deduptest.Seen {
			used := use(zone)
			if zone == "zone-c" { // the last one that the kit asks for
				last.Endpoints = nil
			}
			return used
		}
		return r
	})
	if len(findings) != 1 || findings[0].Guarantee != "pure" {
		t.Errorf("want pure alone to be broken: %v", findings)
	}
}

// merged is a reader that reads its slices anew for each look, with one way to go through slices
// and one to join them.
func merged(order func(lister) []*discoveryv1.EndpointSlice,
	join func([]deduptest.Seen, read) []deduptest.Seen) deduptest.Reader {
	known := lister{}
	return deduptest.Reader{Event: known.event, See: func() (all []deduptest.Seen) {
		for _, slice := range order(known) {
			for _, r := range endpointsOf(slice) {
				all = join(all, r)
			}
		}
		return all
	}}
}

// unlessThere adds what has no place in the list yet.
func unlessThere(all []deduptest.Seen, r read) []deduptest.Seen {
	if slices.ContainsFunc(all, func(s deduptest.Seen) bool { return place(s) == place(r.seen) }) {
		return all
	}
	return append(all, r.seen)
}

func inSomeOrder(l lister) []*discoveryv1.EndpointSlice { return slices.Collect(maps.Values(l)) }

func firstSliceWins() deduptest.Reader { return merged(lister.list, unlessThere) }

func mapOrder() deduptest.Reader { return merged(inSomeOrder, unlessThere) }

func concatenates() deduptest.Reader {
	return merged(lister.list, func(all []deduptest.Seen, r read) []deduptest.Seen { return append(all, r.seen) })
}

// showing is a reader that is right, and shows what it sees in another way.
func showing(change func([]deduptest.Seen) []deduptest.Seen) func() deduptest.Reader {
	return func() deduptest.Reader {
		r := firstSliceWins()
		see := r.See
		r.See = func() []deduptest.Seen { return change(see()) }
		return r
	}
}

// inMapOrder has the right endpoints, which it lists as its map gives them.
var inMapOrder = showing(func(list []deduptest.Seen) []deduptest.Seen {
	set := map[deduptest.Seen]bool{}
	for _, s := range list {
		set[s] = true
	}
	return slices.Collect(maps.Keys(set))
})

// hintsBySlice obeys hints where all endpoints of one slice have some, as if the others did not
// count.
func hintsBySlice() deduptest.Reader {
	known := lister{}
	use := func(zone string) (used []deduptest.Seen) {
		for _, slice := range known.list() {
			list := endpointsOf(slice)
			hinted := slices.DeleteFunc(slices.Clone(list), func(r read) bool { return zoneOf(r) != zone })
			all := !slices.ContainsFunc(list, func(r read) bool { return zoneOf(r) == "" })
			if all && len(hinted) > 0 {
				list = hinted
			}
			for _, r := range list {
				used = unlessThere(used, r)
			}
		}
		return used
	}
	return deduptest.Reader{Event: known.event, See: known.see, Use: use}
}

// firstZone reads of each hint the first zone only.
func firstZone() deduptest.Reader {
	r := merging(dedup.Options{})
	event := r.Event
	r.Event = func(e deduptest.Event) {
		for _, s := range []**discoveryv1.EndpointSlice{&e.Old, &e.New} {
			if *s == nil {
				continue
			}
			*s = (*s).DeepCopy()
			for i := range (*s).Endpoints {
				if h := (*s).Endpoints[i].Hints; h != nil && len(h.ForZones) > 1 {
					h.ForZones = h.ForZones[:1]
				}
			}
		}
		event(e)
	}
	return r
}

func zoneOf(r read) string {
	if r.endpoint.Hints == nil || len(r.endpoint.Hints.ForZones) == 0 {
		return ""
	}
	return r.endpoint.Hints.ForZones[0].Name
}

// events is right, except that it hears of events only that are heeded.
func events(heeded func(deduptest.Event) bool) func() deduptest.Reader {
	return func() deduptest.Reader {
		r := firstSliceWins()
		event := r.Event
		r.Event = func(e deduptest.Event) {
			if heeded(e) {
				event(e)
			}
		}
		return r
	}
}

// subtractAndAdd takes the old endpoints of a slice out of one map and the new ones in.
func subtractAndAdd() deduptest.Reader {
	all := map[deduptest.Seen]deduptest.Seen{}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			if e.Old != nil {
				for _, r := range endpointsOf(e.Old) {
					delete(all, place(r.seen))
				}
			}
			if e.New != nil {
				for _, r := range endpointsOf(e.New) {
					all[place(r.seen)] = r.seen
				}
			}
		},
		See: func() []deduptest.Seen { return slices.SortedFunc(maps.Values(all), compareSeen) },
	}
}

// derefsPort takes it that ports have numbers.
var derefsPort = events(func(e deduptest.Event) bool {
	if e.New != nil {
		for _, p := range e.New.Ports {
			_ = *p.Port
		}
	}
	return true
})

// sortsInPlace sorts the informer's own slices.
var sortsInPlace = events(func(e deduptest.Event) bool {
	if e.New != nil {
		slices.SortFunc(e.New.Endpoints, func(a, b discoveryv1.Endpoint) int {
			return strings.Compare(a.Addresses[0], b.Addresses[0])
		})
	}
	return true
})
