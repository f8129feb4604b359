package items

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Found is the item that an existing endpoint is, or None.
type Found struct {
	Item  int32
	Exact bool // to the letter, hints apart
}

// Identify finds the items that existing endpoints are in a group. The result is valid until rewind. Where the caller of
// Compute lists endpoints in the order of the slices, each is the one after the last; and where it lists the slices' own
// values, that is seen without reading them.
func (f *Finder) Identify(endpoints []discoveryv1.Endpoint, group int32) []Found {
	start := len(f.found)
	f.found = slices.Grow(f.found, len(endpoints))
	next := f.next[group]
	for j := range endpoints {
		if int(next) >= len(f.items) || f.items[next].Endpoint != &endpoints[j] || f.items[next].Group != group {
			next = f.identifyEach(endpoints[j:], group, next)
			break
		}
		f.found = append(f.found, Found{next, true})
		next++
	}
	f.next[group] = next
	return f.found[start:len(f.found):len(f.found)]
}

// identifyEach appends to f.found the items of endpoints, of which the first is likely to be next. It returns the one after
// the last found.
func (f *Finder) identifyEach(endpoints []discoveryv1.Endpoint, group, next int32) int32 {
	guesses := f.guess(endpoints, group)
	for j := range endpoints {
		e := &endpoints[j]
		var at Found
		if guesses != nil {
			if j%endpoint.PrefetchDistance == 0 {
				end := min(j+endpoint.PrefetchDistance, len(guesses))
				f.prefetch(endpoints[j:end], guesses[j:end])
			}
			at = f.identicalAt(guesses[j], e, group)
		} else {
			at = f.identicalTo(next, e, group)
		}
		if !at.Exact && (at.Item == None || guesses != nil || !f.same(f.items[at.Item].Endpoint, e, group)) {
			at.Item = f.Lookup(e, group)
		}
		if at.Item != None {
			next = at.Item + 1
		}
		f.found = append(f.found, at)
	}
	return next
}

// guess is the item that an existing endpoint is likely to be, by the hash of its identity alone, or None.
type guess struct {
	item int32
	ip   uint32 // the endpoint's only address, where that is a canonical IPv4 text; else 0
}

// guess guesses which items existing endpoints are in a group. A loop that looks at nothing else waits less for memory. nil
// while there is no table, because then lists agree on their order.
func (f *Finder) guess(endpoints []discoveryv1.Endpoint, group int32) []guess {
	if !f.indexed {
		return nil
	}
	f.guesses = slices.Grow(f.guesses[:0], len(endpoints))
	for j := range endpoints {
		if j%endpoint.PrefetchDistance == 0 {
			endpoint.PrefetchAddresses(endpoints[j:min(j+endpoint.PrefetchDistance, len(endpoints))])
		}
		e := &endpoints[j]
		hash, ip := uint64(0), endpoint.OnlyIPv4(e)
		if ip != 0 {
			hash = f.hashAt(ip, e, group)
		} else {
			hash = f.speltHash(e, group)
		}
		_, likely := f.table.Probe(hash, uint32(hash))
		f.guesses = append(f.guesses, guess{likely, ip})
	}
	return f.guesses
}

// identicalTo returns an item if it is of the group, and whether it is the endpoint to the letter. It is the short way for
// the item after the last one found.
func (f *Finder) identicalTo(i int32, e *discoveryv1.Endpoint, group int32) Found {
	if int(i) >= len(f.items) || f.items[i].Group != group {
		return Found{Item: None}
	}
	return Found{i, f.items[i].Endpoint == e || endpoint.Identical(f.items[i].Endpoint, e)}
}

// identicalAt is identicalTo for a guess.
func (f *Finder) identicalAt(g guess, e *discoveryv1.Endpoint, group int32) Found {
	if g.item == None {
		return Found{Item: None}
	}
	it := &f.items[g.item]
	if g.ip != 0 && it.IP != 0 {
		return Found{g.item, it.Group == group && it.IP == g.ip && endpoint.IdenticalExceptAddress(it.Endpoint, e)}
	}
	return Found{g.item, it.Group == group && endpoint.Identical(it.Endpoint, e)}
}

// prefetch reads what existing endpoints and the items that they may be say. The items have their addresses themselves.
func (f *Finder) prefetch(endpoints []discoveryv1.Endpoint, guesses []guess) {
	var list [2 * endpoint.PrefetchDistance]*discoveryv1.Endpoint
	for i := range endpoints {
		list[2*i] = &endpoints[i]
		if g := guesses[i]; g.item != None {
			list[2*i+1] = f.items[g.item].Endpoint
		}
	}
	endpoint.Prefetch(list[:2*len(endpoints)])
}
