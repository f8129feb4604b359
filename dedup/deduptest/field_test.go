package deduptest_test

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
)

// shownBy is a history that shows a mistake, where few do.
var shownBy = map[string]string{
	"the Service is not part of the key": "web-a web-b / relabel swap",
	"hints by slice":                     "web-a web-b / hints",
}

// TestFieldReaders has the mistakes that readers were seen to make, or could make, and a few other designs: each is caught under
// the right name.
func TestFieldReaders(t *testing.T) {
	for _, row := range []struct {
		mistake string
		start   func() deduptest.Reader
		breaks  string
	}{
		{"slices are kept by name only", keptByName, "all"},
		{"slices are kept by Service", keptByService, "only"},
		{"nil ready is not ready", reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
			if r.endpoint.Conditions.Ready == nil {
				r.seen.State = deduptest.Unready
			}
			return r, true
		}), "only"},
		{"serving counts in place of ready", reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
			if s := r.endpoint.Conditions.Serving; s != nil && *s {
				r.seen.State = deduptest.Ready
			}
			return r, true
		}), "only"},
		{"what one slice loses is gone", subtractAndAdd, "all"},
		{"tombstones are ignored", events(func(e deduptest.Event) bool { return !e.Tombstone }), "only"},
		{"sorts in place", sortsInPlace, "pure"},
		{"empty updates are ignored", events(func(e deduptest.Event) bool { return e.New == nil || len(e.New.Endpoints) > 0 }), "only"},
		{"an update with as many endpoints and the same first is skipped", events(func(e deduptest.Event) bool {
			return e.Old == nil || e.New == nil || len(e.Old.Endpoints) != len(e.New.Endpoints) || len(e.New.Endpoints) == 0 ||
				e.Old.Endpoints[0].Addresses[0] != e.New.Endpoints[0].Addresses[0]
		}), "all"},
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
		{"the protocol is not read", reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
			r.seen.Protocol = "TCP"
			return r, true
		}), "all"},
		{"the first port's number counts for all", reads(func(s *discoveryv1.EndpointSlice, r read) (read, bool) {
			if s.Ports[0].Port != nil {
				r.seen.Number = *s.Ports[0].Port
			}
			return r, true
		}), "all"},
		{"the first port only", reads(func(s *discoveryv1.EndpointSlice, r read) (read, bool) {
			return r, *s.Ports[0].Name == r.seen.Port
		}), "all"},
		{"ports have numbers", derefsPort, "no-panic"},
		{"a slice that is made anew is taken for known", knownByGeneration, "all"},
		{"IPv4 only", reads(func(s *discoveryv1.EndpointSlice, r read) (read, bool) {
			return r, s.AddressType == discoveryv1.AddressTypeIPv4
		}), "all"},
		{"resourceVersions are compared as texts", comparesTexts, "all"},
		{"first slice wins", firstSliceWins, "order"},
		{"ready if any copy is, without saying so", readyAndPlain, "order"},
		{"map order", mapOrder, "steady"},
		{"hints by slice", hintsBySlice, "hints"},
		{"changes what was replaced", changesReplaced, "pure"},
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

// events is a reader that ignores some.
func events(heeded func(deduptest.Event) bool) func() deduptest.Reader {
	return heeding(func() func(deduptest.Event) bool { return heeded })
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

// keptByService looks for a slice in the Service that its label names now.
func keptByService() deduptest.Reader {
	known := map[types.NamespacedName]lister{}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			service := serviceOf(cmp.Or(e.New, e.Old))
			if known[service] == nil {
				known[service] = lister{}
			}
			known[service].event(e)
		},
		See: func() (all []deduptest.Seen) {
			for _, service := range sortedNames(maps.Keys(known)) {
				for _, s := range known[service].see() {
					all = unlessThere(all, read{seen: s})
				}
			}
			return all
		},
	}
}

// knownByGeneration skips an update whose generation is known, and forgets that the slice may be another one of the name.
var knownByGeneration = heeding(func() func(deduptest.Event) bool {
	generations := map[types.NamespacedName]int64{}
	return func(e deduptest.Event) bool {
		if e.New == nil {
			return true
		}
		known := generations[nameOf(e)]
		generations[nameOf(e)] = e.New.Generation
		return known != e.New.Generation
	}
})

// comparesTexts ignores versions of a slice that are less than the one it has, as texts.
var comparesTexts = heeding(func() func(deduptest.Event) bool {
	versions := map[types.NamespacedName]string{}
	return func(e deduptest.Event) bool {
		switch {
		case e.New == nil:
			delete(versions, nameOf(e))
		case versions[nameOf(e)] > e.New.ResourceVersion:
			return false
		default:
			versions[nameOf(e)] = e.New.ResourceVersion
		}
		return true
	}
})

// TestFairness has readers that differ where the API leaves them free. The kit must let all of them pass.
func TestFairness(t *testing.T) {
	any := []string{"order"} // which copy counts is left to the reader
	all := deduptest.Options{ShowsAll: true, Without: any}
	for _, c := range []struct {
		name    string
		options deduptest.Options
		start   func() deduptest.Reader
	}{
		{"first copy counts", all, firstSliceWins},
		{"ready if any copy is", deduptest.Options{Without: any}, readyIfAny},
		{"ready if all copies are", deduptest.Options{Without: any}, readyIfAll},
		{"older versions are not believed", all, believesNewest},
		{"host names, all addresses, any port", all, generous},
		{"no states", all, stateless},
		{"lists in any order", all, inMapOrder},
		{"no port without a number", deduptest.Options{ShowsAll: true, Without: []string{"AnyPort", "order"}}, derefsPort},
		{"skips what has the generation that it knows", all, byGeneration},
		{"keys without the number", deduptest.Options{ShowsAll: true, Without: []string{"SeveralNumbers", "order"}}, byAddress},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Histories = 200
			for _, f := range check(t, c.options, c.start) {
				t.Error(f)
			}
		})
	}
}

// readyIfAny drops what is not ready first, and merges then.
var readyIfAny = reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) { return r, r.seen.State == deduptest.Ready })

// readyAndPlain is Kong's reader: it sends traffic to what any copy calls ready, or, where a port has none, serving.
func readyAndPlain() deduptest.Reader {
	r := readyIfAny()
	see := r.See
	r.See = func() []deduptest.Seen {
		all := see()
		for i := range all {
			all[i].State = ""
		}
		return all
	}
	return r
}

// readyIfAll drops a place that any copy calls not ready.
func readyIfAll() deduptest.Reader {
	known := lister{}
	return deduptest.Reader{Event: known.event, See: func() (all []deduptest.Seen) {
		bad := map[deduptest.Seen]bool{}
		for _, slice := range known.list() {
			for _, r := range endpointsOf(slice) {
				if r.seen.State != deduptest.Ready {
					bad[place(r.seen)] = true
				}
				all = unlessThere(all, r)
			}
		}
		return slices.DeleteFunc(all, func(s deduptest.Seen) bool { return bad[place(s)] })
	}}
}

// generous reads all that may be read.
func generous() deduptest.Reader {
	return merging(dedup.Options{
		AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN},
		AllAddresses: true, KeepAnyPort: true,
	})
}

var stateless = showing(func(all []deduptest.Seen) []deduptest.Seen {
	for i := range all {
		all[i] = place(all[i])
	}
	return all
})

// byAddress keeps for each port one number for each address, as istio's cache does.
var byAddress = keyed(func(s deduptest.Seen) deduptest.Seen {
	s.Number = 0
	return s
})

// believesNewest ignores versions of a slice that are older than the one it has, and slices that are older than their deletion.
var believesNewest = heeding(func() func(deduptest.Event) bool {
	known, newest := lister{}, 0
	return func(e deduptest.Event) bool {
		if e.New == nil {
			known.event(e)
			return true
		}
		version, _ := strconv.Atoi(e.New.ResourceVersion)
		same := known[nameOf(e)] != nil && known[nameOf(e)].ResourceVersion == e.New.ResourceVersion
		if version <= newest && !same { // the watch tells versions as they are made
			return false
		}
		newest = max(newest, version)
		known.event(e)
		return true
	}
})

// byGeneration skips an update whose UID and generation are known, as GenerationChangedPredicate does.
var byGeneration = heeding(func() func(deduptest.Event) bool {
	read := lister{}
	return func(e deduptest.Event) bool {
		known := read[nameOf(e)]
		read.event(e)
		return known == nil || e.New == nil || known.UID != e.New.UID || known.Generation != e.New.Generation
	}
})
