package service

import (
	"sort"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// addressTable finds wanted endpoints by their address: open addressing, at most three quarters full. A slot has the wanted
// endpoint + 1 in its low bits and, above them, as much of the hash as there is room for; 0 is free.
type addressTable struct {
	slots  []uint32
	mask   uint32
	hasher endpoint.Hasher
}

// index fills the table. Of several wanted endpoints that share an address only the first is found.
func (d *derivation) index() {
	d.indexed = true
	d.table.reset(len(d.wanted))
	for i := range d.wanted {
		hash := d.hash(d.wanted[i].ip, d.sources[i].address)
		slot, found := d.table.probe(hash, uint32(hash))
		for found != none && !d.hasAddress(found, d.wanted[i].ip, d.sources[i].address) {
			slot, found = d.table.probe(hash, slot+1)
		}
		if found == none {
			d.table.slots[slot] = uint32(hash>>32)&^d.table.mask | uint32(i+1)
		}
	}
}

// hash hashes an address, which is given as a number or, where that is 0, as a text.
func (d *derivation) hash(ip uint32, address string) uint64 {
	if ip != 0 {
		return d.table.hasher.At(ip, nil)
	}
	return d.table.hasher.String(address)
}

// hasAddress reports whether a wanted endpoint has the address.
func (d *derivation) hasAddress(i int32, ip uint32, address string) bool {
	return d.wanted[i].ip == ip && (ip != 0 || d.sources[i].address == address)
}

// find returns the wanted endpoint that has the address, or none.
func (d *derivation) find(ip uint32, address string) int32 {
	if !d.indexed {
		if d.searches++; 32*d.searches <= len(d.wanted) {
			return d.search(ip)
		}
		d.index()
	}
	hash := d.hash(ip, address)
	slot, found := d.table.probe(hash, uint32(hash))
	for found != none && !d.hasAddress(found, ip, address) {
		slot, found = d.table.probe(hash, slot+1)
	}
	return found
}

// search is find among addresses that ascend. It spares the table where Pods are listed in the order of the slices, so that
// few are searched for.
func (d *derivation) search(ip uint32) int32 {
	i := sort.Search(len(d.wanted), func(i int) bool { return d.wanted[i].ip >= ip })
	if i == len(d.wanted) || d.wanted[i].ip != ip || ip == 0 {
		return none
	}
	return int32(i)
}

func (t *addressTable) reset(n int) {
	size := 8
	for 3*size < 4*n {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
	} else {
		t.slots = t.slots[:size]
		clear(t.slots)
	}
	t.mask = uint32(size - 1)
	t.hasher = endpoint.NewHasher()
	t.hasher.AddressesOnly = true
}

// first returns the first wanted endpoint whose hash may be this one, or none.
func (t *addressTable) first(hash uint64) int32 {
	_, found := t.probe(hash, uint32(hash))
	return found
}

// probe returns, from a slot on, the next wanted endpoint whose hash may be this one; or none, and a free slot.
func (t *addressTable) probe(hash uint64, from uint32) (slot uint32, found int32) {
	tag := uint32(hash>>32) &^ t.mask
	for slot = from & t.mask; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
		if t.slots[slot]&^t.mask == tag {
			return slot, int32(t.slots[slot]&t.mask) - 1
		}
	}
	return slot, none
}
