package deduptest_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
)

// TestBrokenReaders has readers of other designs than those of TestFieldReaders: each is caught under the right name.
func TestBrokenReaders(t *testing.T) {
	for _, broken := range []struct {
		name  string
		start func() deduptest.Reader
		want  string
	}{
		{"last event wins", lastEventWins, "steady"},
		{"delete removes for all", deleteRemovesForAll, "all"},
		{"first slice wins", firstSliceWins, "order"},
		{"map order", mapOrder, "steady"},
		{"hints by slice", hintsBySlice, "hints"},

		{"one slice only", oneSliceOnly, "all"},
		{"nothing is forgotten", neverForgets, "only"},
		{"changes what was replaced", changesReplaced, "pure"},
		{"slice by slice", inMapOrder, "same-list"},
	} {
		t.Run(broken.name, func(t *testing.T) {
			breaking(t, strict, broken.start, broken.want)
		})
	}
}

// check plays histories that the seed of the environment draws.
func check(t *testing.T, o deduptest.Options, start func() deduptest.Reader) []deduptest.Finding {
	t.Helper()
	found, err := deduptest.Check(seeded(t, o), start)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// breaking wants a guarantee to be found broken: in a few histories, which most mistakes need, or in all.
func breaking(t *testing.T, o deduptest.Options, start func() deduptest.Reader, guarantee string) {
	t.Helper()
	var causes []string
	for _, o.Histories = range []int{100, 0} {
		for _, f := range check(t, o, start) {
			if causes = append(causes, f.Cause); f.Guarantee == guarantee {
				t.Log(f)
				return
			}
		}
	}
	t.Errorf("%s is not found broken: %q", guarantee, causes)
}

// TestChangedSlicesAreMended has a reader that empties the slice of an event when all has been asked, and is right otherwise.
func TestChangedSlicesAreMended(t *testing.T) {
	findings := check(t, deduptest.Options{ShowsAll: true, Histories: 400}, func() deduptest.Reader {
		known, last := lister{}, &discoveryv1.EndpointSlice{}
		return deduptest.Reader{
			Event: func(e deduptest.Event) {
				known.event(e)
				last = cmp.Or(e.New, e.Old)
			},
			See: func() []deduptest.Seen { return seenIn(dedup.Merge(known.list(), dedup.Options{})) },
			Use: func(zone string) []deduptest.Seen {
				used := usedIn(dedup.Merge(known.list(), dedup.Options{}), zone)
				if zone == "zone-c" { // the last one that the kit asks for
					last.Endpoints = nil
				}
				return used
			},
		}
	})
	if len(findings) != 1 || findings[0].Guarantee != "pure" {
		t.Errorf("want pure alone to be broken: %v", findings)
	}
}

// merged is a reader that reads its slices anew for each look, with one way to go through slices and one to join them.
func merged(order func(lister) []*discoveryv1.EndpointSlice, join func([]deduptest.Seen, read) []deduptest.Seen) deduptest.Reader {
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

func asSpelled() deduptest.Reader {
	return merged(lister.list, func(all []deduptest.Seen, r read) []deduptest.Seen {
		r.seen.Address = r.endpoint.Addresses[0]
		return unlessThere(all, r)
	})
}

func oneSliceOnly() deduptest.Reader {
	return merged(func(l lister) (first []*discoveryv1.EndpointSlice) {
		for _, slice := range l.list() {
			if len(first) == 0 || serviceOf(slice) != serviceOf(first[len(first)-1]) {
				first = append(first, slice)
			}
		}
		return first
	}, unlessThere)
}

// inMapOrder has the right endpoints, which it lists as its map gives them.
func inMapOrder() deduptest.Reader {
	r := merged(lister.list, func(all []deduptest.Seen, r read) []deduptest.Seen { return unlessThere(all, r) })
	see := r.See
	r.See = func() []deduptest.Seen {
		set := map[deduptest.Seen]bool{}
		for _, s := range see() {
			set[s] = true
		}
		return slices.Collect(maps.Keys(set))
	}
	return r
}

// lastEventWins counts the slices that hold a place, and takes the state of the last one that spoke.
func lastEventWins() deduptest.Reader {
	holders := map[deduptest.Seen]map[types.NamespacedName]bool{}
	states := map[deduptest.Seen]deduptest.State{}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			name := nameOf(e)
			for _, slices := range holders {
				delete(slices, name)
			}
			if e.New == nil {
				return
			}
			for _, r := range endpointsOf(e.New) {
				at := place(r.seen)
				if holders[at] == nil {
					holders[at] = map[types.NamespacedName]bool{}
				}
				holders[at][name] = true
				states[at] = r.seen.State
			}
		},
		See: func() (all []deduptest.Seen) {
			for at, slices := range holders {
				if len(slices) > 0 {
					at.State = states[at]
					all = append(all, at)
				}
			}
			return all
		},
	}
}

// flat keeps one map of endpoints, and forgets which slice they came from.
func flat(event func(map[deduptest.Seen]deduptest.Seen, deduptest.Event)) deduptest.Reader {
	endpoints := map[deduptest.Seen]deduptest.Seen{}
	return deduptest.Reader{
		Event: func(e deduptest.Event) { event(endpoints, e) },
		See:   func() []deduptest.Seen { return slices.SortedFunc(maps.Values(endpoints), compareSeen) },
	}
}

// subtractAndAdd takes the old endpoints of a slice out and the new ones in.
func subtractAndAdd() deduptest.Reader {
	return flat(func(all map[deduptest.Seen]deduptest.Seen, e deduptest.Event) {
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
	})
}

func neverForgets() deduptest.Reader {
	return flat(func(all map[deduptest.Seen]deduptest.Seen, e deduptest.Event) {
		if e.New != nil {
			for _, r := range endpointsOf(e.New) {
				all[place(r.seen)] = r.seen
			}
		}
	})
}

// deleteRemovesForAll merges its slices well, except that what a deleted slice held stays away until its slice speaks again.
func deleteRemovesForAll() deduptest.Reader {
	known, gone := lister{}, map[deduptest.Seen]bool{}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			known.event(e)
			if e.New == nil {
				for _, r := range endpointsOf(e.Old) {
					gone[place(r.seen)] = true
				}
				return
			}
			for _, r := range endpointsOf(e.New) {
				delete(gone, place(r.seen))
			}
		},
		See: func() (all []deduptest.Seen) {
			for _, slice := range known.list() {
				for _, r := range endpointsOf(slice) {
					if !gone[place(r.seen)] {
						all = unlessThere(all, r)
					}
				}
			}
			return all
		},
	}
}

// hintsBySlice obeys hints where all endpoints of one slice have some, as if the others did not count.
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
	r := merged(lister.list, unlessThere)
	see := r.See
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			known.event(e)
			r.Event(e)
		},
		See: see,
		Use: use,
	}
}

func zoneOf(r read) string {
	if r.endpoint.Hints == nil || len(r.endpoint.Hints.ForZones) == 0 {
		return ""
	}
	return r.endpoint.Hints.ForZones[0].Name
}

// changesReplaced changes a version of a slice at the event after the one that replaced it.
func changesReplaced() deduptest.Reader {
	r := firstSliceWins()
	event, replaced := r.Event, (*discoveryv1.EndpointSlice)(nil)
	r.Event = func(e deduptest.Event) {
		event(e)
		if replaced != nil {
			replaced.Annotations = map[string]string{"seen": "yes"}
		}
		if replaced = nil; e.New != nil && e.Old != e.New {
			replaced = e.Old
		}
	}
	return r
}

// derefsPort takes it that ports have numbers.
func derefsPort() deduptest.Reader {
	r := firstSliceWins()
	event := r.Event
	r.Event = func(e deduptest.Event) {
		if e.New != nil {
			for _, p := range e.New.Ports {
				_ = *p.Port
			}
		}
		event(e)
	}
	return r
}

// sortsInPlace sorts the informer's own slices.
func sortsInPlace() deduptest.Reader {
	r := firstSliceWins()
	event := r.Event
	r.Event = func(e deduptest.Event) {
		if e.New != nil {
			slices.SortFunc(e.New.Endpoints, func(a, b discoveryv1.Endpoint) int { return strings.Compare(a.Addresses[0], b.Addresses[0]) })
		}
		event(e)
	}
	return r
}
