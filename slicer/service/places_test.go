package service

import (
	"fmt"
	"hash/maphash"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestPlaces: each Node has its zone and is asked for once, whichever Pods come before.
func TestPlaces(t *testing.T) {
	const nodes = 300
	asked, names := 0, map[string]bool{}
	var p places
	p.begin(func(name string) *corev1.Node {
		asked++
		node := &corev1.Node{}
		node.Labels = map[string]string{corev1.LabelTopologyZone: "zone-of-" + name}
		return node
	})
	for i := range 3 * nodes {
		name := fmt.Sprint("node-", i*7%nodes)
		names[name] = true
		if at := p.known[p.of(name)]; at != (place{node: name, zone: "zone-of-" + name, found: true}) {
			t.Fatalf("%s is found as %+v", name, at)
		}
	}
	if at := p.known[p.of("")]; at != (place{}) {
		t.Errorf("no Node is found as %+v", at)
	}
	if asked != len(names) {
		t.Errorf("asked %d times for %d Nodes", asked, len(names))
	}
}

// TestPlacesHalfFull: the table looks at all of its slots, so that names which all begin at even ones find a place.
func TestPlacesHalfFull(t *testing.T) {
	var p places
	p.begin(nil)
	for i := 0; len(p.known) < 500; i++ {
		if name := fmt.Sprint("node-", i); maphash.String(p.seed, name)%2 == 0 {
			if at := p.known[p.of(name)]; at.node != name {
				t.Fatalf("%s is found as %s", name, at.node)
			}
		}
	}
}
