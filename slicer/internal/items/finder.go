package items

import (
	"slices"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Finder finds the items that existing endpoints are. Its table is filled when it is first needed: callers who list
// endpoints in the order of the slices never need it.
type Finder struct {
	items  []Item
	groups []Group
	hasher endpoint.Hasher

	next    []int32 // of each group: the item that its next existing endpoint is likely to be
	found   []Found // what identify returned since rewind
	guesses []guess // of one slice's endpoints

	hashes    []uint64       // of the items' identities within their groups
	table     endpoint.Table // items by the hash of their identity
	addresses addressSet     // of all items, if these are distinct
	distinct  bool           // no two items share an address
	indexed   bool           // the table is filled
	searches  int            // made without it
	clashes   int            // items that the last search of the table looked at for nothing

	identities *ByIdentity // nil until it is needed
}

// Take makes ready to find items. It returns the items without those whose identity an earlier one has, and these.
// ascending says that the addresses of each group ascend, so that all are different.
func (f *Finder) Take(items []Item, groups []Group, ascending bool) ([]Item, []Duplicate) {
	f.items, f.groups = items, groups
	f.hasher = endpoint.NewHasher()
	f.hasher.AddressesOnly = true
	f.next = slices.Grow(f.next[:0], len(groups))[:len(groups)]
	f.found = slices.Grow(f.found[:0], len(items)) // existing endpoints are as many, or nearly
	if ascending && !anyByUID(groups) || f.findDistinct() {
		return items, nil
	}
	duplicates := f.index()
	return f.items, duplicates
}

func anyByUID(groups []Group) bool {
	return slices.ContainsFunc(groups, func(g Group) bool { return g.ByUID })
}

// findDistinct reports whether each item has one IPv4 address that no other item has, so that all are different endpoints.
// False says that it is not known.
func (f *Finder) findDistinct() bool {
	if anyByUID(f.groups) {
		return false
	}
	f.addresses.reset(len(f.items), &f.hasher)
	for i := range f.items {
		if ip := f.items[i].IP; ip == 0 || !f.addresses.add(ip) {
			return false
		}
	}
	f.distinct = true
	return true
}

// Rewind expects the first item of each group next, and forgets what identify returned.
func (f *Finder) Rewind() {
	for g := range f.groups {
		f.next[g] = f.groups[g].First
	}
	f.found = f.found[:0]
}

// release forgets all items.
func (f *Finder) Release() {
	*f = Finder{
		next: f.next, found: f.found, guesses: f.guesses, hashes: f.hashes[:0], table: f.table, addresses: f.addresses,
	}
}

// Hasher is the hasher of the items' identities, for tables of other things that share them.
func (f *Finder) Hasher() endpoint.Hasher { return f.hasher }
