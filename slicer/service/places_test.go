package service

import (
	"fmt"
	"hash/maphash"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestPlaces: each Node has its zone and is asked for once, however many Pods with hostnames of their own come before the first
// Pod of the next Node.
func TestPlaces(t *testing.T) {
	for _, named := range []int{0, 1, 40, 65, 200, 1000} {
		const nodes = 300
		asked := 0
		var p places
		p.start(func(name string) *corev1.Node {
			asked++
			node := &corev1.Node{}
			node.Labels = map[string]string{corev1.LabelTopologyZone: "zone-of-" + name}
			return node
		}, nil)
		for i := range named {
			host := fmt.Sprint("host-", i)
			if at := p.known[p.named(p.of("node-0"), host)]; *at.zone != "zone-of-node-0" || *at.hostname != host {
				t.Fatalf("%s is in %s, with hostname %s", host, *at.zone, *at.hostname)
			}
		}
		for i := range 2 * nodes {
			name := fmt.Sprint("node-", i%nodes)
			if at := p.known[p.of(name)]; !at.found || *at.node != name || *at.zone != "zone-of-"+name || at.hostname != nil {
				t.Fatalf("%d Pods first: %s is found as %s in %s", named, name, *at.node, *at.zone)
			}
		}
		if asked != nodes {
			t.Errorf("%d Pods first: asked %d times for %d Nodes", named, asked, nodes)
		}
	}
}

// TestPlacesHalfFull: the table looks at all of its slots, so that names which all begin at even ones find a place.
func TestPlacesHalfFull(t *testing.T) {
	var p places
	p.start(nil, nil)
	for i := 0; p.names < 500; i++ {
		if name := fmt.Sprint("node-", i); maphash.String(p.seed, name)%2 == 0 {
			if at := p.known[p.of(name)]; *at.node != name {
				t.Fatalf("%s is found as %s", name, *at.node)
			}
		}
	}
}
