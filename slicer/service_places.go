package slicer

import (
	"hash/maphash"
	"math/bits"

	corev1 "k8s.io/api/core/v1"
)

// places remembers where Nodes are, since a caller's lookup and the label's cost several times as much as this one. It
// is a cache that forgets a Node when another one needs its slot: nothing but speed depends on what it holds.
type places struct {
	d    *derivation
	ask  func(name string) *corev1.Node
	seed maphash.Seed
	// Of the scratch: slots by hash of the name have the position in known, plus one.
}

// place is a Node's name and zone, as endpoints point to them.
type place struct {
	name       string
	node, zone *string
	found      bool
	plain      bool  // the name is surely accepted, or there is none
	index      int32 // in known
}

func newPlaces(d *derivation, ask func(name string) *corev1.Node) places {
	const most = 1 << 12
	slots := min(most, 1<<bits.Len(uint(d.total)))
	if d.slots, d.known = d.slots[:cap(d.slots)], d.known[:0]; len(d.slots) < slots {
		d.slots = make([]int32, slots)
	}
	d.slots = d.slots[:slots]
	clear(d.slots)
	return places{d: d, ask: ask, seed: maphash.MakeSeed()}
}

// of returns what an endpoint on the named Node says about its place, and whether there is such a Node. Without Nodes to
// ask, every one counts as found.
func (p *places) of(name string) *place {
	mask := uint64(len(p.d.slots) - 1)
	slot := maphash.String(p.seed, name) & mask
	for range 4 {
		i := p.d.slots[slot]
		if i == 0 {
			break
		}
		if known := &p.d.known[i-1]; known.name == name {
			return known
		}
		slot = (slot + 1) & mask
	}
	p.d.known = append(p.d.known, p.look(name))
	p.d.slots[slot] = int32(len(p.d.known))
	return &p.d.known[len(p.d.known)-1]
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
