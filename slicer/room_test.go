package slicer

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestRoomForAll: a new planner makes room for endpoints from everywhere: of Pods as they are, of Pods with hostnames,
// which are made at once, and of the caller.
func TestRoomForAll(t *testing.T) {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec:       corev1.ServiceSpec{ClusterIP: "10.96.0.1", Selector: map[string]string{"app": "web"}},
	}
	var pods []*corev1.Pod
	for _, ip := range []string{"10.0.0.1", "10.0.0.2", "10.0.0.3"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-" + ip}}
		pod.Status.PodIPs = []corev1.PodIP{{IP: ip}}
		pods = append(pods, pod)
	}
	pods[1].Spec.Hostname, pods[1].Spec.Subdomain = "web-1", "web"
	in, _, err := FromService(svc, pods, nil, ServiceOptions{Selected: true, Scratch: &Scratch{}})
	if err != nil {
		t.Fatal(err)
	}
	if d := in.Derived; len(d.scratch.records) != 2 || countEndpoints(d.general) != 1 {
		t.Errorf("%d endpoints are left for later and %d are made, want 2 and 1", len(d.scratch.records), countEndpoints(d.general))
	}
	in.Groups = []Group{{}}
	in.Groups[0].Endpoints = append(in.Groups[0].Endpoints, at("10.0.1.1"), at("10.0.1.2"))
	p := &planner{groupIDs: map[string]int32{}}
	p.start(&in)
	if p.collect(); len(p.items) != 5 {
		t.Errorf("%d items, want 5", len(p.items))
	}
}
