package service_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestManyNodes: each endpoint has the zone of its Node, and every Node is asked for once, however many Pods with hostnames of
// their own come before the first Pod of the next Node.
func TestManyNodes(t *testing.T) {
	for _, named := range []int{0, 1, 40, 65, 200, 1000} {
		const nodes = 300
		asked := map[string]int{}
		node := func(name string) *corev1.Node {
			asked[name]++
			return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "zone-of-" + name}}}
		}
		var pods []*corev1.Pod
		for i := range named + 2*nodes {
			on := max(0, i-named) % nodes
			pods = append(pods, aPod(1, func(p *corev1.Pod) {
				p.Name, p.Spec.NodeName = fmt.Sprint("web-", i), fmt.Sprint("node-", on)
				p.Spec.Hostname, p.Spec.Subdomain = p.Name, "web"
				p.Status.PodIPs[0].IP = fmt.Sprintf("10.0.%d.%d", i/250, i%250)
			}))
		}
		in, _, err := service.Input(aService(), pods, node, service.Options{ManagedBy: manager})
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range in.Groups[0].Endpoints {
			if want := "zone-of-" + pods[i].Spec.NodeName; *e.Zone != want || *e.Hostname != pods[i].Name {
				t.Fatalf("%d Pods first: %s is in %s, want %s", named, *e.Hostname, *e.Zone, want)
			}
		}
		for name, times := range asked {
			if times != 1 {
				t.Errorf("%d Pods first: %s was asked for %d times", named, name, times)
			}
		}
		if len(asked) != nodes {
			t.Errorf("%d Pods first: %d Nodes were asked for, want %d", named, len(asked), nodes)
		}
	}
}
