package deduptest_test

import (
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestFairness has readers that differ where the API leaves them free. The kit must not blame any
// of them. SLICEWRIGHT_CASES is how many histories are drawn.
func TestFairness(t *testing.T) {
	nightly.Slow(t)
	order := []string{"order"} // which copy counts is left to the reader
	all := deduptest.Options{ShowsAll: true, Without: order}
	ready := deduptest.Options{Without: order}
	for _, c := range []struct {
		name    string
		options deduptest.Options
		start   func() deduptest.Reader
	}{
		{"joins the slices when it is asked", deduptest.Options{}, joinsWhenAsked},
		{"lists all endpoints with their states", strict, func() deduptest.Reader { return merging(dedup.Options{}) }},
		{"first copy counts", all, firstSliceWins},
		{"ready if any copy is", ready, readyIfAny},
		{"host names, all addresses, any port", all, generous},
		{"no states", all, stateless},
		{"lists in any order", all, inMapOrder},
		{"no port without a number", deduptest.Options{ShowsAll: true, Without: []string{"AnyPort", "order"}}, derefsPort},
		{"keys without the number", deduptest.Options{ShowsAll: true, Without: []string{"SeveralNumbers", "order"}}, byAddress},
		{"long spellings of IPv6", all, longSpellings},
		{"addresses without ports", all, addressesAlone},
		{"counts the sources event by event", ready, countsSources},
		{"hands events to a goroutine", all, withWorker},
		{"copies into one buffer", all, oneBuffer},
		{"skips what it knows by generation and version", all, skipsKnown},
		{"draining endpoints for each family", ready, drainingByFamily},
		{"draining endpoints for both families at once", ready, drainingByPort},
		{"decides on each event at once", ready, decidesAtOnce},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.options.Histories = nightly.Cases(t, 500)
			for _, f := range check(t, c.options, c.start) {
				t.Error(f)
			}
		})
	}
}

func joinsWhenAsked() deduptest.Reader {
	r := newMyReader()
	return deduptest.Reader{Event: func(e deduptest.Event) { r.handle(e.Old, e.New) }, See: r.endpoints}
}

// readyIfAny drops what is not ready first, and merges then.
var readyIfAny = reads(func(_ *discoveryv1.EndpointSlice, r read) (read, bool) {
	return r, r.seen.State == deduptest.Ready
})

// generous reads all that may be read.
func generous() deduptest.Reader {
	return merging(dedup.Options{
		AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6,
			discoveryv1.AddressTypeFQDN},
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

var longSpellings = showing(func(all []deduptest.Seen) []deduptest.Seen {
	for i := range all {
		all[i].Address = netip.MustParseAddr(all[i].Address).StringExpanded()
	}
	return all
})

// addressesAlone keeps addresses for each slice, as a DNS server does, and looks for the ports when
// it is asked.
func addressesAlone() deduptest.Reader {
	known, addresses := lister{}, map[types.NamespacedName][]string{}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			known.event(e)
			delete(addresses, nameOf(e))
			if e.New == nil || e.New.AddressType == discoveryv1.AddressTypeFQDN {
				return
			}
			for _, endpoint := range e.New.Endpoints {
				addresses[nameOf(e)] = append(addresses[nameOf(e)], netip.MustParseAddr(endpoint.Addresses[0]).String())
			}
		},
		See: func() (all []deduptest.Seen) {
			for _, slice := range known.list() {
				for _, p := range slice.Ports {
					for _, address := range addresses[nameOf(deduptest.Event{New: slice})] {
						if p.Port != nil && serviceOf(slice).Name != "" {
							all = unlessThere(all, read{seen: deduptest.Seen{
								Service: serviceOf(slice), Port: *p.Name, Protocol: *p.Protocol, Address: address,
								Number: *p.Port,
							}})
						}
					}
				}
			}
			return all
		},
	}
}

// countsSources counts for each place the slices in which it is ready. It keeps what it has counted
// of each slice, because the old slice of an event need not be the one that it got last.
func countsSources() deduptest.Reader {
	counts, counted := map[deduptest.Seen]int{}, map[types.NamespacedName]map[deduptest.Seen]bool{}
	return deduptest.Reader{
		Event: func(e deduptest.Event) {
			for s := range counted[nameOf(e)] {
				if counts[s]--; counts[s] == 0 {
					delete(counts, s)
				}
			}
			delete(counted, nameOf(e))
			if e.New == nil {
				return
			}
			now := map[deduptest.Seen]bool{}
			for _, r := range endpointsOf(e.New) {
				now[r.seen] = now[r.seen] || r.seen.State == deduptest.Ready
			}
			maps.DeleteFunc(now, func(_ deduptest.Seen, ready bool) bool { return !ready })
			for s := range now {
				counts[s]++
			}
			counted[nameOf(e)] = now
		},
		See: func() []deduptest.Seen { return slices.Collect(maps.Keys(counts)) },
	}
}

// withWorker handles events in a goroutine, which See waits for.
func withWorker() deduptest.Reader {
	right, work := firstSliceWins(), make(chan func(), 100)
	go func() {
		for do := range work {
			do()
		}
	}()
	return deduptest.Reader{
		Event: func(e deduptest.Event) { work <- func() { right.Event(e) } },
		See: func() (all []deduptest.Seen) {
			done := make(chan bool)
			work <- func() {
				all = right.See()
				close(done)
			}
			<-done
			return all
		},
	}
}

// oneBuffer returns the same memory each time.
func oneBuffer() deduptest.Reader {
	right := firstSliceWins()
	var buffer []deduptest.Seen
	see := right.See
	right.See = func() []deduptest.Seen {
		buffer = append(buffer[:0], see()...)
		return buffer
	}
	return right
}

// skipsKnown ignores an event whose slice has the UID and generation that it knows, or an older
// version.
func skipsKnown() deduptest.Reader {
	right, known := firstSliceWins(), map[types.NamespacedName]*discoveryv1.EndpointSlice{}
	event := right.Event
	right.Event = func(e deduptest.Event) {
		before := known[nameOf(e)]
		if e.New == nil {
			delete(known, nameOf(e))
		} else if before != nil && before.UID == e.New.UID &&
			(before.Generation == e.New.Generation || version(before) >= version(e.New)) {
			return
		} else {
			known[nameOf(e)] = e.New
		}
		event(e)
	}
	return right
}

func version(s *discoveryv1.EndpointSlice) int {
	n, _ := strconv.Atoi(s.ResourceVersion) // the API server's
	return n
}

// draining is a reader that shows draining endpoints where no endpoint of the same group is ready.
func draining(group func(deduptest.Seen) deduptest.Seen) func() deduptest.Reader {
	return showing(func(all []deduptest.Seen) []deduptest.Seen {
		ready := map[deduptest.Seen]bool{}
		for _, s := range all {
			ready[group(s)] = ready[group(s)] || s.State == deduptest.Ready
		}
		return slices.DeleteFunc(all, func(s deduptest.Seen) bool {
			return s.State == deduptest.Unready || s.State == deduptest.Draining && ready[group(s)]
		})
	})
}

var drainingByFamily = draining(func(s deduptest.Seen) deduptest.Seen {
	family := corev1.IPv4Protocol
	if netip.MustParseAddr(s.Address).Is6() {
		family = corev1.IPv6Protocol
	}
	return deduptest.Seen{Service: s.Service, Port: s.Port, Protocol: s.Protocol, Address: string(family)}
})

var drainingByPort = draining(func(s deduptest.Seen) deduptest.Seen {
	return deduptest.Seen{Service: s.Service, Port: s.Port, Protocol: s.Protocol}
})

// decidesAtOnce keeps a finished list, which each event replaces.
func decidesAtOnce() deduptest.Reader {
	right, list := drainingByFamily(), []deduptest.Seen(nil)
	event, see := right.Event, right.See
	right.Event = func(e deduptest.Event) {
		event(e)
		list = see()
	}
	right.See = func() []deduptest.Seen { return list }
	return right
}

// TestFamiliesAreJudgedApart: a reader may show the draining endpoints of a family that has no
// ready one.
func TestFamiliesAreJudgedApart(t *testing.T) {
	for _, start := range []func() deduptest.Reader{drainingByFamily, drainingByPort} {
		for _, f := range check(t, deduptest.Options{Replay: "web-b web-6 / draining=35"}, start) {
			t.Error(f)
		}
	}
}
