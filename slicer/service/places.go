package service

import (
	corev1 "k8s.io/api/core/v1"
)

// places remembers where Nodes are, because a caller's lookup and the label's cost several times as much as this one.
type places struct {
	known  []place
	byName map[string]int32
	ask    func(name string) *corev1.Node
}

// place is what the endpoints of one Node's Pods have in common. Empty: none.
type place struct {
	node, zone string
	found      bool // there is such a Node
}

// begin makes ready to look Nodes up by name. There must be no places yet.
func (p *places) begin(ask func(name string) *corev1.Node) {
	p.ask = ask
	if p.byName == nil {
		p.byName = map[string]int32{}
	}
}

// of returns what an endpoint on the named Node says about its place. Without Nodes to ask, every one counts as found.
func (p *places) of(name string) int32 {
	i, known := p.byName[name]
	if !known {
		i = int32(len(p.known))
		p.known = append(p.known, p.look(name))
		p.byName[name] = i
	}
	return i
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
	clear(p.byName)
	*p = places{known: p.known[:0], byName: p.byName}
}
