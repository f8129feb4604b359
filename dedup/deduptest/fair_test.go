package deduptest_test

import (
	"slices"
	"strconv"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
)

// TestFairness has readers that differ where the API leaves them free. The kit must let all of them pass.
func TestFairness(t *testing.T) {
	all := deduptest.Options{ShowsAll: true}
	for _, c := range []struct {
		name    string
		options deduptest.Options
		start   func() deduptest.Reader
	}{
		{"first copy counts", all, firstSliceWins},
		{"ready if any copy is", deduptest.Options{}, readyIfAny},
		{"ready if all copies are", deduptest.Options{}, readyIfAll},
		{"older versions are not believed", all, believesNewest},
		{"host names, all addresses, any port", all, generous},
		{"no states", all, stateless},
		{"lists in any order", all, inMapOrder},
		{"no port without a number", deduptest.Options{ShowsAll: true, Without: []string{"AnyPort"}}, derefsPort},
		{"skips what has the generation that it knows", all, byGeneration},
		{"keys without the number", deduptest.Options{ShowsAll: true, Without: []string{"SeveralNumbers"}}, byAddress},
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
	known := lister{}
	options := dedup.Options{
		AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN},
		AllAddresses: true, KeepAnyPort: true,
	}
	return deduptest.Reader{Event: known.event, See: func() []deduptest.Seen { return seenIn(dedup.Merge(known.list(), options)) }}
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
