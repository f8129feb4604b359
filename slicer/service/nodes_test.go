package service

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestNodes: each Node has its zone and is asked for once, whichever Pods come before.
func TestNodes(t *testing.T) {
	const count = 300
	asked, names := 0, map[string]bool{}
	var n nodes
	n.begin(func(name string) *corev1.Node {
		asked++
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "zone-of-" + name}}}
	})
	for i := range 3 * count {
		name := fmt.Sprint("node-", i*7%count)
		names[name] = true
		if at := *n.named(name); at != (node{name: name, zone: "zone-of-" + name, found: true}) {
			t.Fatalf("%s is found as %+v", name, at)
		}
	}
	if at := *n.named(""); at != (node{}) {
		t.Errorf("no Node is found as %+v", at)
	}
	if asked != len(names) {
		t.Errorf("asked %d times for %d Nodes", asked, len(names))
	}
}
