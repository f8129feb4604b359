package slicer

import (
	"slices"
	"sort"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/key"
)

// table finds items by the hash of their identity: open addressing, at most three quarters full. A slot has the item + 1
// in its low bits and, above them, as much of the hash as there is room for; 0 is free.
type table struct {
	slots []uint32
	mask  uint32
}

func (t *table) reset(n int) {
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
}

// first returns the first item whose hash may be this one, or none.
func (t *table) first(hash uint64) int32 {
	tag := uint32(hash>>32) &^ t.mask
	for slot := uint32(hash) & t.mask; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
		if t.slots[slot]&^t.mask == tag {
			return int32(t.slots[slot]&t.mask) - 1
		}
	}
	return none
}

// index enters the items into the table. Those whose identity another one has leave p.items for p.duplicates.
func (p *planner) index() {
	p.table.reset(len(p.items))
	p.indexed = true
	p.hashes = slices.Grow(p.hashes, len(p.items))[:len(p.items)]
	for i := range p.items {
		p.hashes[i] = p.identityHash(p.items[i].endpoint, p.items[i].group)
	}
	kept := int32(0)
	for i := range p.items {
		it := &p.items[i]
		slot, found := p.find(it.endpoint, it.group, p.hashes[i])
		if found != none {
			p.duplicates = append(p.duplicates, duplicate{item: found, endpoint: it.endpoint, source: it.source})
			continue
		}
		p.table.slots[slot] = uint32(p.hashes[i]>>32)&^p.table.mask | uint32(kept+1)
		if int(kept) != i {
			p.items[kept] = *it
		}
		kept++
	}
	clear(p.items[kept:])
	p.items = p.items[:kept]
}

// find returns the item that is the endpoint in the group, or none and the free slot where it belongs.
func (p *planner) find(e *discoveryv1.Endpoint, group int32, hash uint64) (slot uint32, found int32) {
	t := &p.table
	tag := uint32(hash>>32) &^ t.mask
	for slot = uint32(hash) & t.mask; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
		if t.slots[slot]&^t.mask != tag {
			continue
		}
		i := int32(t.slots[slot]&t.mask) - 1
		if it := &p.items[i]; it.group == group && p.same(it.endpoint, e, group) {
			return slot, i
		}
	}
	return slot, none
}

// lookup returns the item that an existing endpoint is in a group, or none.
func (p *planner) lookup(e *discoveryv1.Endpoint, group int32) int32 {
	if !p.indexed {
		if p.searches++; 32*p.searches <= len(p.items) && len(e.Addresses) == 1 {
			if ip, ok := key.IPv4(e.Addresses[0]); ok {
				return p.search(e, ip, group)
			}
		}
		p.index()
	}
	hash := p.speltHash(e, group)
	_, found := p.find(e, group, hash)
	if found == none {
		if canonical := p.identityHash(e, group); canonical != hash {
			_, found = p.find(e, group, canonical)
		}
	}
	return found
}

// search is lookup among items whose addresses ascend: it spares the table where existing endpoints, read in order, find
// their items one after the other and few have to be searched for.
func (p *planner) search(e *discoveryv1.Endpoint, ip uint32, group int32) int32 {
	g := &p.groups[group]
	n := sort.Search(int(g.count), func(n int) bool { return p.items[int(g.first)+n].ip >= ip })
	if n == int(g.count) || !p.same(p.items[int(g.first)+n].endpoint, e, group) {
		return none
	}
	return g.first + int32(n)
}

func (p *planner) same(a, b *discoveryv1.Endpoint, group int32) bool {
	if p.groups[group].byUID {
		return uidOf(a) == uidOf(b)
	}
	return key.SameEndpoint(a, b)
}

// identityHash hashes what identifies an endpoint in a group.
func (p *planner) identityHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if p.groups[group].byUID {
		return p.hasher.Salt(p.hasher.String(uidOf(e)), group)
	}
	return p.hasher.Salt(p.hasher.Endpoint(e), group)
}

// speltHash is identityHash for an endpoint whose address is canonical as it is spelt.
func (p *planner) speltHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if p.groups[group].byUID {
		return p.identityHash(e, group)
	}
	return p.hasher.Salt(p.hasher.AsSpelt(e), group)
}

func uidOf(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	return string(e.TargetRef.UID)
}

// duplicate is a wanted endpoint whose identity another one has, the item.
type duplicate struct {
	endpoint *discoveryv1.Endpoint
	source   source
	item     int32
}

// identifyByUID decides for each group whether UIDs identify its endpoints.
func (p *planner) identifyByUID() {
	type groupUID struct {
		group int32
		uid   string
	}
	for g := range p.groups {
		p.groups[g].byUID = true
	}
	seen := make(map[groupUID]bool, len(p.items))
	for i := range p.items {
		it := &p.items[i]
		u := groupUID{it.group, uidOf(it.endpoint)}
		if u.uid == "" || seen[u] {
			p.groups[it.group].byUID = false
		}
		seen[u] = true
	}
	p.ascending = false
}

// settleDuplicates lets the best endpoint of each identity stay: a ready one, then the first by content. Of the others
// those that differ from it are rejected.
func (p *planner) settleDuplicates() {
	for i := range p.duplicates {
		d := &p.duplicates[i]
		if it := &p.items[d.item]; better(d.endpoint, it.endpoint) {
			d.endpoint, it.endpoint = it.endpoint, d.endpoint
			d.source, it.source = it.source, d.source
		}
	}
	for i := range p.duplicates {
		d := &p.duplicates[i]
		it := &p.items[d.item]
		if p.sameWanted(d.endpoint, it.endpoint) {
			continue
		}
		p.reject(d.source, int(p.groups[it.group].typ), DifferingDuplicate, func(at *field.Path) *field.Error {
			return duplicated(at, d.endpoint.Addresses,
				"another wanted endpoint has the same addresses, hostname and targetRef but differs in content: list it once")
		})
	}
}

func better(a, b *discoveryv1.Endpoint) bool {
	x, y := conditions.Of(a.Conditions), conditions.Of(b.Conditions)
	if x.Ready != y.Ready {
		return x.Ready
	}
	return compareEndpoints(a, b) < 0
}
