package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/key"
)

// table finds items by the hash of their identity: open addressing, at most half full.
type table struct {
	slots []uint64 // the hash's upper half and the item + 1; 0 is free
	mask  uint64
}

func (t *table) reset(n int) {
	size := 8
	for size < 2*n {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]uint64, size)
	} else {
		t.slots = t.slots[:size]
		clear(t.slots)
	}
	t.mask = uint64(size - 1)
}

func (t *table) set(slot uint64, hash uint64, i int32) {
	t.slots[slot] = hash&^0xffffffff | uint64(i+1)
}

// find returns the item that is the endpoint in the group, or none and the free slot where it belongs.
func (p *planner) find(e *discoveryv1.Endpoint, group int32, hash uint64) (slot uint64, found int32) {
	t := &p.table
	for slot = hash & t.mask; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
		if (t.slots[slot]^hash)>>32 != 0 {
			continue
		}
		i := int32(uint32(t.slots[slot])) - 1
		if it := &p.items[i]; it.group == group && p.same(it.endpoint, e, group) {
			return slot, i
		}
	}
	return slot, none
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
			err := field.Duplicate(at, d.endpoint.Addresses)
			err.Detail = "another wanted endpoint has the same addresses, hostname and targetRef but differs in content: list it once"
			return err
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
