package service

import (
	"sort"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// addressFinder finds wanted endpoints by their address, of several that share one the first. Its table is filled when it is
// first needed.
type addressFinder struct {
	w        *wanted
	table    endpoint.Table
	hasher   endpoint.Hasher
	indexed  bool // the table is filled
	searches int  // made without it
}

// begin makes ready to find wanted endpoints.
func (f *addressFinder) begin(w *wanted) { *f = addressFinder{w: w, table: f.table} }

// has reports whether a wanted endpoint has the address, which is given as a number or, where that is 0, as a text.
func (f *addressFinder) has(i int32, ip uint32, address string) bool {
	return f.w.endpoints[i].ip == ip && (ip != 0 || f.w.address(i) == address)
}

// find returns the wanted endpoint that has the address, or none.
func (f *addressFinder) find(ip uint32, address string) int32 {
	if !f.indexed {
		if f.searches++; f.w.ascending && 32*f.searches <= len(f.w.endpoints) {
			return f.search(ip)
		}
		f.index()
	}
	_, found := f.probe(f.hash(ip, address), ip, address)
	return found
}

// guess is find by the hash of the address alone, where the table is filled: none for sure, or else perhaps another wanted
// endpoint than that which has the address.
func (f *addressFinder) guess(ip uint32, address string) int32 {
	if !f.indexed {
		return f.find(ip, address)
	}
	hash := f.hash(ip, address)
	_, likely := f.table.Probe(hash, uint32(hash))
	return likely
}

// search is find among addresses that ascend. It spares the table where Pods are listed in the order of the slices, so that
// few are searched for.
func (f *addressFinder) search(ip uint32) int32 {
	list := f.w.endpoints
	i := sort.Search(len(list), func(i int) bool { return list[i].ip >= ip })
	if i == len(list) || list[i].ip != ip {
		return none
	}
	return int32(i)
}

// index fills the table.
func (f *addressFinder) index() {
	f.indexed = true
	f.table.Reset(len(f.w.endpoints))
	f.hasher = endpoint.NewHasher()
	for i := range f.w.endpoints {
		ip, address := f.w.endpoints[i].ip, ""
		if ip == 0 {
			address = f.w.address(int32(i))
		}
		hash := f.hash(ip, address)
		if slot, found := f.probe(hash, ip, address); found == none {
			f.table.Put(slot, hash, int32(i))
		}
	}
}

func (f *addressFinder) hash(ip uint32, address string) uint64 {
	if ip != 0 {
		return f.hasher.Number(ip)
	}
	return f.hasher.String(address)
}

// probe returns the wanted endpoint in the table that has the address, or none and a free slot.
func (f *addressFinder) probe(hash uint64, ip uint32, address string) (slot uint32, found int32) {
	slot, found = f.table.Probe(hash, uint32(hash))
	for found != none && !f.has(found, ip, address) {
		slot, found = f.table.Probe(hash, slot+1)
	}
	return slot, found
}
