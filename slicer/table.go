package slicer

import (
	"sort"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
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

// index enters the items into the table. Hashes of addresses alone are cheap and nearly always enough; where more than a few
// items share an address, all are told apart by whatever identifies them.
func (p *planner) index() {
	p.indexed = true
	for {
		p.table.reset(len(p.items))
		p.hash()
		if p.enter() {
			return
		}
		p.hasher.AddressesOnly = false
		p.hashes = p.hashes[:0]
	}
}

// enter fills the table. Items whose identity another one has leave p.items for p.duplicates. It stops and returns false
// where too many items have one hash, with those that it has not come to still in p.items.
func (p *planner) enter() bool {
	const tooMany = 3
	kept := int32(0)
	for i := range p.items {
		it := &p.items[i]
		p.clashes = 0
		slot, found := p.slotOf(it, p.hashes[i])
		if found != none {
			p.duplicates = append(p.duplicates, duplicate{item: found, endpoint: it.endpoint, source: it.source})
			continue
		}
		if p.clashes > tooMany && p.hasher.AddressesOnly {
			rest := copy(p.items[kept:], p.items[i:])
			p.truncate(kept + int32(rest))
			return false
		}
		p.table.slots[slot] = uint32(p.hashes[i]>>32)&^p.table.mask | uint32(kept+1)
		if int(kept) != i {
			p.items[kept] = *it
		}
		kept++
	}
	p.truncate(kept)
	return true
}

func (p *planner) truncate(n int32) {
	clear(p.items[n:])
	p.items = p.items[:n]
}

// slotOf returns the item that is the same as another, or none and the free slot where that belongs.
func (p *planner) slotOf(it *item, hash uint64) (slot uint32, found int32) {
	t := &p.table
	tag := uint32(hash>>32) &^ t.mask
	for slot = uint32(hash) & t.mask; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
		if t.slots[slot]&^t.mask != tag {
			continue
		}
		i := int32(t.slots[slot]&t.mask) - 1
		if other := &p.items[i]; other.group == it.group && p.same(other.endpoint, it.endpoint, it.group) {
			return slot, i
		}
		p.clashes++
	}
	return slot, none
}

// find returns the item that is the endpoint in the group, or none.
func (p *planner) find(e *discoveryv1.Endpoint, group int32, hash uint64) int32 {
	t := &p.table
	tag := uint32(hash>>32) &^ t.mask
	for slot := uint32(hash) & t.mask; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
		if t.slots[slot]&^t.mask != tag {
			continue
		}
		i := int32(t.slots[slot]&t.mask) - 1
		if it := &p.items[i]; it.group == group && p.same(it.endpoint, e, group) {
			return i
		}
	}
	return none
}

// lookup returns the item that an existing endpoint is in a group, or none.
func (p *planner) lookup(e *discoveryv1.Endpoint, group int32) int32 {
	if !p.indexed {
		if p.distinct {
			if ip := onlyIPv4(e); ip != 0 && !p.addresses.has(ip) {
				return none
			}
		} else if p.searches++; 32*p.searches <= len(p.items) && len(e.Addresses) == 1 {
			if ip, ok := endpoint.IPv4(e.Addresses[0]); ok {
				return p.search(e, ip, group)
			}
		}
		p.index()
	}
	hash := p.speltHash(e, group)
	found := p.find(e, group, hash)
	if found == none {
		if canonical := p.identityHash(e, group); canonical != hash {
			found = p.find(e, group, canonical)
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
