package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// wanters finds the items that are one endpoint in any group: a chained table over identities without their group. It
// is built only when slices change their ports or endpoints move between port sets.
type wanters struct {
	p           *planner
	hasher      endpoint.Hasher
	heads, next []int32 // item + 1; 0 ends a chain
	hashes      []uint64
	byUID       bool // some group goes by UID
	byAddress   bool // some group goes by address
}

func (p *planner) wanters() *wanters {
	if p.wantersIndex == nil {
		p.wantersIndex = newWanters(p)
	}
	return p.wantersIndex
}

func newWanters(p *planner) *wanters {
	size := 8
	for size < 2*len(p.items) {
		size *= 2
	}
	w := &wanters{p: p, hasher: p.hasher, heads: make([]int32, size), next: make([]int32, len(p.items)), hashes: make([]uint64, len(p.items))}
	w.hasher.AddressesOnly = false
	for i := range p.items {
		it := &p.items[i]
		if p.groups[it.group].byUID {
			w.byUID = true
			w.hashes[i] = w.hasher.String(uidOf(it.endpoint))
		} else {
			w.byAddress = true
			w.hashes[i] = w.hasher.Endpoint(it.endpoint)
		}
		slot := &w.heads[w.hashes[i]&uint64(size-1)]
		w.next[i], *slot = *slot, int32(i+1)
	}
	return w
}

// of calls visit with every item of the address type that is the endpoint, in no particular order.
func (w *wanters) of(e *discoveryv1.Endpoint, t int32, visit func(i int32)) {
	if w.byAddress {
		w.chain(w.hasher.Endpoint(e), e, t, false, visit)
	}
	if w.byUID {
		w.chain(w.hasher.String(uidOf(e)), e, t, true, visit)
	}
}

func (w *wanters) chain(hash uint64, e *discoveryv1.Endpoint, t int32, byUID bool, visit func(i int32)) {
	for i := w.heads[hash&uint64(len(w.heads)-1)] - 1; i >= 0; i = w.next[i] - 1 {
		it := &w.p.items[i]
		g := &w.p.groups[it.group]
		if w.hashes[i] == hash && g.typ == t && g.byUID == byUID && w.p.same(it.endpoint, e, it.group) {
			visit(i)
		}
	}
}
