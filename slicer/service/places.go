package service

import (
	"hash/maphash"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// places remembers where Nodes are, because a caller's lookup and the label's cost several times as much as this one: open
// addressing over hashed names, at most half full. How many slots there are is a power of two.
type places struct {
	known []place
	slots []placeSlot
	ask   func(name string) *corev1.Node
	seed  maphash.Seed
}

// placeSlot has a position in known, plus one, and a part of the hash of the name there; 0 is free.
type placeSlot struct{ hash, known uint32 }

// place is what the endpoints of one Node's Pods have in common. Empty: none.
type place struct {
	node, zone string
	found      bool // there is such a Node
}

// begin makes ready to look Nodes up by name. There must be no places yet.
func (p *places) begin(ask func(name string) *corev1.Node) {
	const few = 64
	p.ask, p.seed = ask, maphash.MakeSeed()
	if len(p.slots) == 0 {
		p.slots = make([]placeSlot, few)
	}
	clear(p.slots)
}

// of returns what an endpoint on the named Node says about its place. Without Nodes to ask, every one counts as found.
func (p *places) of(name string) int32 {
	hash := maphash.String(p.seed, name)
	slot := p.find(hash, name)
	if slot.known == 0 {
		if 2*len(p.known) >= len(p.slots) {
			p.grow()
			slot = p.find(hash, name)
		}
		p.known = append(p.known, p.look(name))
		*slot = placeSlot{uint32(hash >> 32), uint32(len(p.known))}
	}
	return int32(slot.known - 1)
}

// find returns the slot that has the name, or the free one where it belongs.
func (p *places) find(hash uint64, name string) *placeSlot {
	mask := uint64(len(p.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := &p.slots[i]
		if slot.known == 0 || slot.hash == uint32(hash>>32) && p.known[slot.known-1].node == name {
			return slot
		}
	}
}

// grow makes room for four times as many names.
func (p *places) grow() {
	old := p.slots
	p.slots = make([]placeSlot, 4*len(old))
	p.known = slices.Grow(p.known, len(p.slots)/2-len(p.known)) // append alone would copy more often
	for _, slot := range old {
		if slot.known != 0 {
			name := p.known[slot.known-1].node
			*p.find(maphash.String(p.seed, name), name) = slot
		}
	}
}

func (p *places) look(name string) place {
	found := place{node: name, found: p.ask == nil}
	if p.ask == nil || name == "" {
		return found
	}
	if node := p.ask(name); node != nil {
		found.zone, found.found = node.Labels[corev1.LabelTopologyZone], true
	}
	return found
}

// release forgets all places.
func (p *places) release() {
	clear(p.known)
	*p = places{known: p.known[:0], slots: p.slots}
}
