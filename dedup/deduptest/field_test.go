package deduptest_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// shownBy is a history that shows a mistake, where few do.
var shownBy = map[string]string{
	"the Service is not part of the key": "web-a web-b / relabel swap",
	"hints by slice":                     "web-a web-b / hints",
}

// TestFieldReaders has the mistakes that readers were seen to make, or could make, and a few other designs: each is caught under
// the right name.
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
		{"host names, all addresses, any port", all, generous},
		{"no states", all, stateless},
		{"lists in any order", all, inMapOrder},
		{"no port without a number", deduptest.Options{ShowsAll: true, Without: []string{"AnyPort", "order"}}, derefsPort},
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
