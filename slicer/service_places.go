package slicer

import (
	"hash/maphash"

	corev1 "k8s.io/api/core/v1"
)

// places remembers where Nodes are, since a caller's lookup and the label's cost several times as much as this one: open
// addressing over hashed names, in the derivation's scratch, at most half full.
type places struct {
	d    *derivation
	ask  func(name string) *corev1.Node
	seed maphash.Seed
}

// placeSlot has a position in Scratch.known, plus one, and a part of the hash of the name there; 0 is free.
type placeSlot struct{ hash, known uint32 }

// place is a Node's name and zone, as endpoints point to them.
type place struct {
	name       string
	node, zone *string
	found      bool
	plain      bool  // the name is surely accepted, or there is none
	index      int32 // in known
}

func newPlaces(d *derivation, ask func(name string) *corev1.Node) places {
	const few = 64
	d.known = d.known[:0]
	if len(d.slots) == 0 {
		d.slots = make([]placeSlot, few)
	}
	clear(d.slots)
	return places{d: d, ask: ask, seed: maphash.MakeSeed()}
}

// of returns what an endpoint on the named Node says about its place, and whether there is such a Node. Without Nodes to
// ask, every one counts as found. The place moves when the next is looked up.
func (p *places) of(name string) *place {
	hash := maphash.String(p.seed, name)
	slot := p.find(hash, name)
	if slot.known == 0 {
		if 2*len(p.d.known) >= len(p.d.slots) {
			p.grow()
			slot = p.find(hash, name)
		}
		p.d.known = append(p.d.known, p.look(name))
		*slot = placeSlot{uint32(hash >> 32), uint32(len(p.d.known))}
	}
	return &p.d.known[slot.known-1]
}

// find returns the slot that has the name, or the free one where it belongs.
func (p *places) find(hash uint64, name string) *placeSlot {
	mask := uint64(len(p.d.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := &p.d.slots[i]
		if slot.known == 0 || slot.hash == uint32(hash>>32) && p.d.known[slot.known-1].name == name {
			return slot
		}
	}
}

// grow makes room for twice as many.
func (p *places) grow() {
	p.d.slots = make([]placeSlot, 2*len(p.d.slots))
	for i := range p.d.known {
		name := p.d.known[i].name
		hash := maphash.String(p.seed, name)
		*p.find(hash, name) = placeSlot{uint32(hash >> 32), uint32(i + 1)}
	}
}

func (p *places) look(name string) place {
	found := place{
		name: name, node: p.d.text(name), found: p.ask == nil,
		plain: name == "" || plainName(name, true), index: int32(len(p.d.known)),
	}
	if p.ask == nil || name == "" {
		return found
	}
	if node := p.ask(name); node != nil {
		found.zone, found.found = p.d.text(node.Labels[corev1.LabelTopologyZone]), true
	}
	return found
}
