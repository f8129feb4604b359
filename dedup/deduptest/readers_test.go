package deduptest_test

import (
	"maps"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// strict is all that the kit can ask of a reader that shows everything.
var strict = deduptest.Options{ShowsAll: true, Also: []string{"same-list"}}

// seeded has the histories that SLICEWRIGHT_SEED draws: some, or all if SLICEWRIGHT_FULL is 1.
func seeded(t *testing.T, o deduptest.Options) deduptest.Options {
	if o.Seed = uint64(nightly.Seed(t, 0)); o.Histories == 0 && nightly.Number(t, "SLICEWRIGHT_FULL", 0) == 0 {
		o.Histories = 500
	}
	return o
}

func TestIndex(t *testing.T) {
	deduptest.Run(t, seeded(t, strict), func() deduptest.Reader {
		var ix dedup.Index
		see := func() []deduptest.Seen {
			ix.Flush()
			return seenIn(ix.View())
		}
		return deduptest.Reader{
			Event: func(e deduptest.Event) {
				if e.New != nil {
					ix.Upsert(e.New)
				} else {
					ix.Delete(e.Old.Namespace, e.Old.Name)
				}
			},
			See: see,
			Use: func(zone string) []deduptest.Seen {
				see()
				return usedIn(ix.View(), zone)
			},
		}
	})
}

// merging is a reader that merges all slices anew for each look.
func merging(o dedup.Options) deduptest.Reader {
	known := lister{}
	return deduptest.Reader{
		Event: known.event,
		See:   func() []deduptest.Seen { return seenIn(dedup.Merge(known.list(), o)) },
		Use:   func(zone string) []deduptest.Seen { return usedIn(dedup.Merge(known.list(), o), zone) },
	}
}

func TestCache(t *testing.T) {
	type entry struct { // of the reader's own
		seen deduptest.Seen
		rank dedup.Rank
	}
	deduptest.Run(t, seeded(t, strict), func() deduptest.Reader {
		cache := dedup.NewCache[types.NamespacedName, deduptest.Seen](func(e entry) dedup.Rank { return e.rank })
		groups := map[types.NamespacedName]types.NamespacedName{} // slice to Service
		return deduptest.Reader{
			Event: func(e deduptest.Event) {
				name := nameOf(e)
				if old, found := groups[name]; found && (e.New == nil || old != serviceOf(e.New)) {
					cache.Delete(old, name)
					delete(groups, name)
				}
				if e.New == nil || serviceOf(e.New).Name == "" {
					return
				}
				groups[name] = serviceOf(e.New)
				cache.Put(groups[name], dedup.SourceOf(e.New), func(yield func(deduptest.Seen, entry) bool) {
					for _, x := range endpointsOf(e.New) {
						if !yield(place(x.seen), entry{x.seen, dedup.RankOf(x.endpoint)}) {
							return
						}
					}
				})
			},
			See: func() (all []deduptest.Seen) {
				for _, service := range slices.Compact(sortedNames(maps.Values(groups))) {
					for _, e := range cache.All(service) {
						all = append(all, e.seen)
					}
				}
				slices.SortFunc(all, compareSeen)
				return all
			},
		}
	})
}

func seenIn(view dedup.View) (all []deduptest.Seen) {
	for port, e := range view.All() {
		all = append(all, seenOf(port, e))
	}
	return all
}

func seenOf(port dedup.ServicePort, e dedup.Endpoint) deduptest.Seen {
	return deduptest.Seen{
		Service: port.Service, Port: port.Port, Protocol: port.Protocol, Address: e.Host(), Number: e.Port,
		State: stateOf(e.State),
	}
}

func stateOf(s conditions.State) deduptest.State {
	switch {
	case s.Ready:
		return deduptest.Ready
	case s.ServesWhileTerminating():
		return deduptest.Draining
	}
	return deduptest.Unready
}

func usedIn(view dedup.View, zone string) (all []deduptest.Seen) {
	for _, service := range slices.Collect(view.Services()) {
		for port := range view.Ports(service) {
			list := slices.Collect(view.Endpoints(port))
			for _, e := range routing.Route(list, dedup.Endpoint.Candidate, routing.Location{Zone: zone},
				routing.Policy{}).Endpoints {
				all = append(all, seenOf(port, e))
			}
		}
	}
	return all
}
