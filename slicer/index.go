package slicer

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// index finds the items of existing endpoints. Two endpoints are the same if endpoint.SameIdentity
// is true for them. An endpoint has one item for each port set in which it is wanted. All items of
// an endpoint have the same identity, and make a row:
//
//	identity              items, one for each port set that wants the endpoint
//	10.0.0.1, Pod web-1   http:80  alt:81
//	10.0.0.2, Pod web-2   http:80
//	10.0.0.3, Pod web-3            alt:81
//
// itemsOf returns, for existing endpoints, their items in one port set. identities and row return
// the items of an endpoint in all port sets. An endpoint costs one look into a table. The items of
// a row are sorted by port set, so that a port set is found in a few steps even if an endpoint is
// in many.
type index struct {
	items    []item
	portSets []wantedPorts
	table    table   // numbers the identities
	sample   []int32 // by identity: one of its items

	// rows has all items, sorted by identity and then by port set. ends has, for each identity, the
	// end of its row in rows. Both are nil if each identity has one item.
	rows, ends []int32

	hashAll bool // hashes are made of addresses, hostname and target, not only of addresses
}

// foundItem is the item of an existing endpoint on some ports, or none.
type foundItem struct {
	item  int32
	exact bool // the item is endpoint.Identical to the existing endpoint
}

// maxOthers is the largest number of endpoints that a search may compare if only addresses are
// hashed. Most addresses have one endpoint.
const maxOthers = 8

// take indexes the items. If a port set has several items for one endpoint, it keeps the first one.
// It returns the kept items and the duplicates. The port sets are in the plan's order.
func (x *index) take(items []item, portSets []wantedPorts) (kept, duplicates []item) {
	x.items, x.portSets = items, portSets
	if !x.number() {
		x.hashAll = true
		x.number()
	}
	if x.table.count() < len(items) {
		duplicates = x.removeDuplicates()
		x.makeRows()
	}
	return x.items, duplicates
}

// number gives each item its identity. Addresses alone are quick to hash, but if many endpoints
// have the same address, each search among them is long. So if a search compares more than
// maxOthers endpoints, number gives up and returns false, unless hashAll is true.
func (x *index) number() bool {
	x.table.reset(len(x.items))
	x.sample = slices.Grow(x.sample[:0], len(x.items))
	for i := range x.items {
		it, passed := &x.items[i], 0
		typ := x.portSets[it.portSet].typ
		id, isNew := x.table.add(x.hash(it.ip, it.endpoint), func(id int32) bool {
			same, _ := x.is(id, it.endpoint, typ)
			passed++
			return same
		})
		if passed > maxOthers && !x.hashAll {
			return false
		}
		if it.id = id; isNew {
			x.sample = append(x.sample, int32(i))
		}
	}
	return true
}

// hash returns the hash of an endpoint. Endpoints that are the same have the same hash. ip is what
// endpoint.OnlyIPv4 returns for the endpoint.
func (x *index) hash(ip uint32, e *discoveryv1.Endpoint) uint64 {
	if x.hashAll {
		return x.table.hashIdentity(ip, e)
	}
	return x.table.hashAddresses(ip, e)
}

// The method is reports whether an existing endpoint of an address type has an identity. exact
// reports whether the endpoint is endpoint.Identical to the item that represents the identity. Most
// endpoints are, and then nothing else is compared.
func (x *index) is(id int32, e *discoveryv1.Endpoint, typ int32) (same, exact bool) {
	it := &x.items[x.sample[id]]
	if x.portSets[it.portSet].typ != typ {
		return false, false
	}
	if endpoint.Identical(it.endpoint, e) {
		return true, true
	}
	return endpoint.SameIdentity(it.endpoint, e), false
}

// removeDuplicates removes from the items, and returns, each item whose port set has an earlier
// item with the same identity.
func (x *index) removeDuplicates() (duplicates []item) {
	type member struct{ id, portSet int32 }
	seen := make(map[member]bool, len(x.items))
	kept := x.items[:0]
	for _, it := range x.items {
		m := member{it.id, it.portSet}
		if seen[m] {
			duplicates = append(duplicates, it)
			continue
		}
		seen[m] = true
		x.sample[it.id] = int32(len(kept))
		kept = append(kept, it)
	}
	clear(x.items[len(kept):])
	x.items = kept
	return duplicates
}

// makeRows fills rows and ends. It counts the items of each identity to know where each row starts,
// and then puts each item at the next place of its row.
func (x *index) makeRows() {
	x.ends = make([]int32, x.table.count())
	x.rows = make([]int32, len(x.items))
	for i := range x.items {
		x.ends[x.items[i].id]++
	}
	start := int32(0)
	for id, count := range x.ends { // at first ends has the start of each row
		x.ends[id] = start
		start += count
	}
	for i := range x.items {
		end := &x.ends[x.items[i].id]
		x.rows[*end] = int32(i)
		*end++ // after the last item of the row, this is the end of the row
	}
	for id := range x.ends {
		slices.SortFunc(x.row(int32(id)), func(a, b int32) int { // a row has no port set twice
			return cmp.Compare(x.items[a].portSet, x.items[b].portSet)
		})
	}
}

// row lists the items of an identity, in the plan's order of their port sets.
func (x *index) row(id int32) []int32 {
	if x.rows == nil {
		return x.sample[id : id+1]
	}
	start := int32(0)
	if id > 0 {
		start = x.ends[id-1]
	}
	return x.rows[start:x.ends[id]]
}

// count returns the number of identities. They are numbered from 0.
func (x *index) count() int { return x.table.count() }

// heldBy appends the identities of the endpoints that a slice holds.
func (x *index) heldBy(list []int32, s *liveSlice) []int32 {
	for j := range s.object.Endpoints {
		if id, _ := x.identity(&s.object.Endpoints[j], s.typ); id != none {
			list = append(list, id)
		}
	}
	return list
}

// identity returns the identity of an existing endpoint of an address type, or none if the endpoint
// is not wanted. exact has the same meaning as in the method is.
func (x *index) identity(e *discoveryv1.Endpoint, typ int32) (id int32, exact bool) {
	id = x.table.find(x.hash(endpoint.OnlyIPv4(e), e), func(id int32) (same bool) {
		same, exact = x.is(id, e, typ)
		return same
	})
	return id, exact
}

// itemOf returns the item of an identity on a port set, or none.
func (x *index) itemOf(id, portSet int32) int32 {
	if row := x.row(id); len(row) == 1 {
		if x.items[row[0]].portSet == portSet {
			return row[0]
		}
	} else if n, ok := slices.BinarySearchFunc(row, portSet, func(i, portSet int32) int {
		return cmp.Compare(x.items[i].portSet, portSet)
	}); ok {
		return row[n]
	}
	return none
}

// itemsOf appends, for each of the existing endpoints, its item on a port set.
func (x *index) itemsOf(list []foundItem, endpoints []discoveryv1.Endpoint, portSet int32) []foundItem {
	for j := range endpoints {
		e, f := &endpoints[j], foundItem{item: none}
		if id, exact := x.identity(e, x.portSets[portSet].typ); id != none {
			f.item = x.itemOf(id, portSet)
			f.exact = exact
			if f.item != x.sample[id] { // identity compared the endpoint with another item
				f.exact = f.item != none && endpoint.Identical(x.items[f.item].endpoint, e)
			}
		}
		list = append(list, f)
	}
	return list
}

// sort brings items into the canonical order of their endpoints.
func (x *index) sort(items []int32) {
	slices.SortFunc(items, func(a, b int32) int {
		v, w := &x.items[a], &x.items[b]
		if v.ip != w.ip && v.ip != 0 && w.ip != 0 {
			return cmp.Compare(v.ip, w.ip)
		}
		return endpoint.Compare(v.endpoint, w.endpoint)
	})
}

// candidates lists the items of an identity that are still free: at most maxCandidates of them, the
// first in the order of their port sets. The limit keeps the cost linear even if thousands of port
// sets want one endpoint. Because of it, an endpoint that slices hold on ports that are no longer
// wanted counts only for the first few port sets that want the endpoint and have no slice for it
// yet.
type candidates struct {
	row   func(id int32) []int32
	free  func(i int32) bool // once false for an item, always false
	rests map[int32][]int32  // for identities with more than maxCandidates items: the items that may still be free
}

const maxCandidates = 16

func newCandidates(row func(id int32) []int32, free func(i int32) bool) candidates {
	return candidates{row: row, free: free, rests: map[int32][]int32{}}
}

// The method of appends the candidates of an identity to list.
func (c *candidates) of(list []int32, id int32) []int32 {
	rest, known := c.rests[id]
	if !known {
		rest = c.row(id)
	}
	start, seen := len(list), 0
	for ; seen < len(rest) && len(list)-start < maxCandidates; seen++ {
		if c.free(rest[seen]) {
			list = append(list, rest[seen])
		}
	}
	if known || len(rest) > maxCandidates {
		if !known {
			rest = slices.Clone(rest) // the row belongs to the index
		}
		// An item that is not free now will never be free again, so it is dropped. A later call
		// looks at the free items first.
		free := list[start:]
		c.rests[id] = rest[seen-len(free):]
		copy(c.rests[id], free)
	}
	return list
}
