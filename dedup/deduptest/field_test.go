package deduptest_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// shownBy is a history that shows a mistake, where few do.
var shownBy = map[string]string{
	"the Service is not part of the key": "web-a web-b / relabel swap",
	"hints by slice":                     "web-a web-b / hints",
}

// TestFieldReaders has the mistakes that readers were seen to make, or could make, and a few other
// designs: each is caught under the right name.
func TestFieldReaders(t *testing.T) {
	nightly.Slow(t)
	for _, row := range []struct {
		mistake string
		start   func() deduptest.Reader
		breaks  string
	}{
		{"slices are kept by name only", keptByName, "all"},
		{"nil ready is not ready", reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
			if r.endpoint.Conditions.Ready == nil {
				r.seen.State = deduptest.Unready
			}
			return r, true
		}), "only"},
		{"what one slice loses is gone", subtractAndAdd, "all"},
		{"tombstones are ignored", events(func(e deduptest.Event) bool { return !e.Tombstone }), "only"},
		{"sorts in place", sortsInPlace, "pure"},
		{"empty updates are ignored", events(func(e deduptest.Event) bool { return e.New == nil || len(e.New.Endpoints) > 0 }), "only"},
		{"no deduplication", concatenates, "once"},
		{"the number is not part of the key", byAddress, "all"},
		{"the Service is not part of the key", keyed(func(s deduptest.Seen) deduptest.Seen {
			s.Service.Name = ""
			return s
		}), "all"},
		{"one address in two spellings", reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
			r.seen.Address = r.endpoint.Addresses[0]
			return r, true
		}), "once"},
		{"ports have numbers", derefsPort, "no-panic"},
		{"first slice wins", firstSliceWins, "order"},
		{"map order", mapOrder, "steady"},
		{"hints by slice", hintsBySlice, "hints"},
		{"the first zone of a hint only", firstZone, "hints"},
		{"slice by slice", inMapOrder, "same-list"},
	} {
		t.Run(row.mistake, func(t *testing.T) {
			t.Parallel()
			o := deduptest.Options{ShowsAll: true, Without: []string{"order"}}
			switch row.breaks {
			case "order":
				o = deduptest.Options{}
			case "same-list":
				o = strict
			}
			breaking(t, o, row.start, row.breaks, shownBy[row.mistake])
		})
	}
}

// TestFieldReadersSoon has mistakes that nearly every informer shows, each of which must be found
// within 100 histories.
func TestFieldReadersSoon(t *testing.T) {
	for _, row := range []struct {
		mistake, breaks string
		start           func() deduptest.Reader
	}{
		{"ready is what is ready and does not terminate", "all", readyIf(func(s conditions.State) bool { return s.Ready && !s.Terminating })},
		{"ready is what is ready and serves", "all", readyIf(func(s conditions.State) bool { return s.Ready && s.Serving })},
		{"ready is what serves", "only", readyIf(func(s conditions.State) bool { return s.Serving })},
		{"nil serving is not serving", "only", reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
			if c := r.endpoint.Conditions; c.Serving == nil && r.seen.State == deduptest.Draining {
				r.seen.State = deduptest.Unready
			}
			return r, true
		})},
		{"one newest version for all slices", "all", oneVersion},
		{"hints count where any endpoint has one", "hints", hintsOfAny},
		{"all endpoints where none is ready", "only", showing(func(all []deduptest.Seen) []deduptest.Seen {
			ready := map[deduptest.Seen]bool{}
			group := func(s deduptest.Seen) deduptest.Seen {
				return deduptest.Seen{Service: s.Service, Port: s.Port, Protocol: s.Protocol}
			}
			for _, s := range all {
				ready[group(s)] = ready[group(s)] || s.State == deduptest.Ready
			}
			return slices.DeleteFunc(all, func(s deduptest.Seen) bool {
				return s.State != deduptest.Ready && ready[group(s)]
			})
		})},
	} {
		t.Run(row.mistake, func(t *testing.T) {
			t.Parallel()
			o := deduptest.Options{Without: []string{"order"}, Histories: 100}
			o.ShowsAll = row.mistake == "nil serving is not serving" || row.breaks == "hints"
			var causes []string
			for _, f := range check(t, o, row.start) {
				if causes = append(causes, f.Cause); f.Guarantee == row.breaks {
					t.Log(f)
					return
				}
			}
			t.Errorf("%s is not found broken: %q", row.breaks, causes)
		})
	}
}

// readyIf shows the endpoints that are in one of the states.
func readyIf(ready func(conditions.State) bool) func() deduptest.Reader {
	return reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
		r.seen.State = ""
		return r, ready(conditions.Of(r.endpoint.Conditions))
	})
}

// oneVersion ignores events that are older than what it has read of any slice.
func oneVersion() deduptest.Reader {
	newest := 0
	return events(func(e deduptest.Event) bool {
		if e.New == nil {
			return true
		}
		older := version(e.New) < newest
		newest = max(newest, version(e.New))
		return !older
	})()
}

// hintsOfAny obeys hints although some endpoints of the port have none.
func hintsOfAny() deduptest.Reader {
	known := lister{}
	return deduptest.Reader{Event: known.event, See: known.see, Use: func(zone string) (used []deduptest.Seen) {
		hinted, all := map[deduptest.Seen]bool{}, []read(nil)
		group := func(s deduptest.Seen) deduptest.Seen {
			return deduptest.Seen{Service: s.Service, Port: s.Port, Protocol: s.Protocol}
		}
		for _, slice := range known.list() {
			for _, r := range endpointsOf(slice) {
				all = append(all, r)
				hinted[group(r.seen)] = hinted[group(r.seen)] || zoneOf(r) == zone
			}
		}
		for _, r := range all {
			if !hinted[group(r.seen)] || zoneOf(r) == zone {
				used = unlessThere(used, r)
			}
		}
		return used
	}}
}

// reads is a reader that changes or leaves out what it reads.
func reads(change func(*discoveryv1.EndpointSlice, read) (read, bool)) func() deduptest.Reader {
	return func() deduptest.Reader {
		known := lister{}
		return deduptest.Reader{Event: known.event, See: func() (all []deduptest.Seen) {
			for _, slice := range known.list() {
				for _, r := range endpointsOf(slice) {
					if changed, ok := change(slice, r); ok {
						all = unlessThere(all, changed)
					}
				}
			}
			return all
		}}
	}
}

// keyed is a reader that shows one endpoint for each key.
func keyed(key func(deduptest.Seen) deduptest.Seen) func() deduptest.Reader {
	return func() deduptest.Reader {
		return merged(lister.list, func(all []deduptest.Seen, r read) []deduptest.Seen {
			if slices.ContainsFunc(all, func(s deduptest.Seen) bool { return key(place(s)) == key(place(r.seen)) }) {
				return all
			}
			return append(all, r.seen)
		})
	}
}

// keptByName forgets that two namespaces may have slices of one name.
func keptByName() deduptest.Reader {
	known := lister{}
	return deduptest.Reader{See: known.see, Event: func(e deduptest.Event) {
		if name := (types.NamespacedName{Name: nameOf(e).Name}); e.New != nil {
			known[name] = e.New
		} else {
			delete(known, name)
		}
	}}
}
