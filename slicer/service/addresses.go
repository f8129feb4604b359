package service

import (
	"sort"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// addressTable finds wanted endpoints by their address.
type addressTable struct {
	endpoint.Table
	hasher endpoint.Hasher
}

// index fills the table. Of several wanted endpoints that share an address only the first is found.
func (d *derivation) index() {
	d.indexed = true
	d.table.Reset(len(d.wanted))
	d.table.hasher = endpoint.NewHasher()
	for i := range d.wanted {
		ip, address := d.wanted[i].ip, ""
		if ip == 0 {
			address = d.address(&d.wanted[i])
		}
		hash := d.hash(ip, address)
		if slot, found := d.probe(hash, ip, address); found == none {
			d.table.Put(slot, hash, int32(i))
		}
	}
}

// hash hashes an address, which is given as a number or, where that is 0, as a text.
func (d *derivation) hash(ip uint32, address string) uint64 {
	if ip != 0 {
		return d.table.hasher.Number(ip)
	}
	return d.table.hasher.String(address)
}

// hasAddress reports whether a wanted endpoint has the address.
func (d *derivation) hasAddress(i int32, ip uint32, address string) bool {
	w := &d.wanted[i]
	return w.ip == ip && (ip != 0 || d.address(w) == address)
}

// find returns the wanted endpoint that has the address, or none.
func (d *derivation) find(ip uint32, address string) int32 {
	if !d.indexed {
		if d.searches++; d.ascending && 32*d.searches <= len(d.wanted) {
			return d.search(ip)
		}
		d.index()
	}
	_, found := d.probe(d.hash(ip, address), ip, address)
	return found
}

// probe returns the wanted endpoint in the table that has the address, or none and a free slot.
func (d *derivation) probe(hash uint64, ip uint32, address string) (slot uint32, found int32) {
	slot, found = d.table.Probe(hash, uint32(hash))
	for found != none && !d.hasAddress(found, ip, address) {
		slot, found = d.table.Probe(hash, slot+1)
	}
	return slot, found
}

// search is find among addresses that ascend. It spares the table where Pods are listed in the order of the slices, so that
// few are searched for.
func (d *derivation) search(ip uint32) int32 {
	i := sort.Search(len(d.wanted), func(i int) bool { return d.wanted[i].ip >= ip })
	if i == len(d.wanted) || d.wanted[i].ip != ip {
		return none
	}
	return int32(i)
}
