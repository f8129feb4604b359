package items

import (
	"sort"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// index enters the items into the table. Hashes of addresses alone are cheap and nearly always enough; where more than a few
// items share an address, all are told apart by whatever identifies them.
//
// It returns the items whose identity an earlier one has, and takes them out of f.items.
func (f *Finder) index() (duplicates []Duplicate) {
	f.indexed = true
	for {
		f.table.Reset(len(f.items))
		f.hash()
		more, ok := f.enter()
		if duplicates = append(duplicates, more...); ok {
			return duplicates
		}
		f.hasher.AddressesOnly = false
		f.hashes = f.hashes[:0]
	}
}

// enter fills the table. Items whose identity another one has leave f.items for duplicates. It stops with false where too
// many items have one hash; those that it has not come to are still in f.items.
func (f *Finder) enter() (duplicates []Duplicate, ok bool) {
	const tooMany = 3
	kept := int32(0)
	for i := range f.items {
		it := &f.items[i]
		f.clashes = 0
		slot, found := f.slotOf(it, f.hashes[i])
		if found != None {
			duplicates = append(duplicates, Duplicate{Item: found, Endpoint: it.Endpoint, Source: it.Source})
			continue
		}
		if f.clashes > tooMany && f.hasher.AddressesOnly {
			rest := copy(f.items[kept:], f.items[i:])
			f.items = f.items[:int(kept)+rest]
			return duplicates, false
		}
		f.table.Put(slot, f.hashes[i], kept)
		if int(kept) != i {
			f.items[kept] = *it
		}
		kept++
	}
	f.items = f.items[:kept]
	return duplicates, true
}

// slotOf returns the item that is the same as another, or None and the free slot where that belongs.
func (f *Finder) slotOf(it *Item, hash uint64) (slot uint32, found int32) {
	slot, found = f.table.Probe(hash, uint32(hash))
	for ; found != None; slot, found = f.table.Probe(hash, slot+1) {
		if other := &f.items[found]; other.Group == it.Group && f.same(other.Endpoint, it.Endpoint, it.Group) {
			return slot, found
		}
		f.clashes++
	}
	return slot, None
}

// Find returns the item that is the endpoint in the group, or None.
func (f *Finder) Find(e *discoveryv1.Endpoint, group int32, hash uint64) int32 {
	slot, found := f.table.Probe(hash, uint32(hash))
	for ; found != None; slot, found = f.table.Probe(hash, slot+1) {
		if it := &f.items[found]; it.Group == group && f.same(it.Endpoint, e, group) {
			return found
		}
	}
	return None
}

// Lookup returns the item that an existing endpoint is in a group, or None.
func (f *Finder) Lookup(e *discoveryv1.Endpoint, group int32) int32 {
	if !f.indexed {
		if f.distinct {
			if ip := endpoint.OnlyIPv4(e); ip != 0 && !f.addresses.has(ip) {
				return None
			}
		} else if f.searches++; 32*f.searches <= len(f.items) && len(e.Addresses) == 1 {
			if ip, ok := endpoint.IPv4(e.Addresses[0]); ok {
				return f.search(e, ip, group)
			}
		}
		f.index()
	}
	hash := f.speltHash(e, group)
	found := f.Find(e, group, hash)
	if found == None {
		if canonical := f.identityHash(e, group); canonical != hash {
			found = f.Find(e, group, canonical)
		}
	}
	return found
}

// search is lookup among items whose addresses ascend: it spares the table where existing endpoints, read in order, find
// their items one after the other and few have to be searched for.
func (f *Finder) search(e *discoveryv1.Endpoint, ip uint32, group int32) int32 {
	g := &f.groups[group]
	n := sort.Search(int(g.Count), func(n int) bool { return f.items[int(g.First)+n].IP >= ip })
	if n == int(g.Count) || !f.same(f.items[int(g.First)+n].Endpoint, e, group) {
		return None
	}
	return g.First + int32(n)
}
