package service

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// TestPlacesAgain: memory that was used before knows no place of then.
func TestPlacesAgain(t *testing.T) {
	var p places
	for round := range 3 {
		p.begin(func(string) *corev1.Node {
			return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: fmt.Sprint(round)}}}
		})
		for i := range 1000 {
			if at := p.known[p.of(fmt.Sprint("node-", i))]; at.zone != fmt.Sprint(round) {
				t.Fatalf("round %d: %+v", round, at)
			}
		}
		p.release()
	}
}
