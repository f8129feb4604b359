package bench

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// BenchmarkFloor measures the Floor, which the library's calls are compared with.
func BenchmarkFloor(b *testing.B) {
	Cases{Changes: []Change{Nothing, OnePod}}.Run(b, func(b *testing.B, all []*Sync) func(i int) {
		floor := Floor{}
		return func(i int) {
			if changed := floor.Sync(all[i]); (changed == nil) != (all[i].Change == Nothing) {
				b.Fatal(all[i].Change, " changed, and the floor copies ", changed)
			}
		}
	})
}

// TestFloor checks that the Floor finds something to write exactly if the library plans a write:
// after each change, and after a change of any one field that the Floor reads.
func TestFloor(t *testing.T) {
	floor := Floor{}
	agree := func(what string, s *Sync, writes bool) {
		t.Helper()
		plan, err := s.Plan()
		changed := floor.Sync(s)
		if err != nil || len(plan.Steps) > 0 != writes || (changed != nil) != writes {
			t.Errorf("%s: the plan has %d steps, the floor copies %v: %v", what, len(plan.Steps), changed, err)
		}
	}
	for _, pods := range []int{3, 250} {
		for _, change := range Changes {
			agree(string(change), Services(1, pods, "").After(change)[0], change != Nothing)
		}
	}
	for what, edit := range edits {
		s := Services(1, 3, "").After(Nothing)[0]
		edit(parts{s.Pods[0], s.Slices[0], &s.Slices[0].Endpoints[0], &s.Slices[0].Ports[0]})
		agree(what, s, true)
	}
	s := Services(1, 3, "").After(Nothing)[0]
	s.Pods = s.Pods[1:]
	agree("a Pod is gone", s, true)
}

// parts are what edits change: a Pod, the slice, and its first endpoint and port.
type parts struct {
	pod      *corev1.Pod
	slice    *discoveryv1.EndpointSlice
	endpoint *discoveryv1.Endpoint
	port     *discoveryv1.EndpointPort
}

var edits = map[string]func(p parts){
	"Pod not ready":    func(p parts) { p.pod.Status.Conditions[1].Status = corev1.ConditionFalse },
	"Pod terminating":  func(p parts) { p.pod.DeletionTimestamp = &metav1.Time{} },
	"Pod failed":       func(p parts) { p.pod.Status.Phase = corev1.PodFailed },
	"Pod's address":    func(p parts) { p.pod.Status.PodIPs[0].IP = "10.200.0.1" },
	"one Pod missing":  func(p parts) { p.slice.Endpoints = p.slice.Endpoints[1:] },
	"second port":      func(p parts) { p.slice.Ports = append(p.slice.Ports, discoveryv1.EndpointPort{Name: p.port.Name}) },
	"port":             func(p parts) { *p.port.Port = 1 },
	"port name":        func(p parts) { *p.port.Name = "other" },
	"protocol":         func(p parts) { *p.port.Protocol = corev1.ProtocolUDP },
	"appProtocol":      func(p parts) { p.port.AppProtocol = &p.slice.Name },
	"address":          func(p parts) { p.endpoint.Addresses[0] = "10.200.0.1" },
	"second address":   func(p parts) { p.endpoint.Addresses = append(p.endpoint.Addresses, "10.200.0.1") },
	"ready":            func(p parts) { *p.endpoint.Conditions.Ready = false },
	"serving":          func(p parts) { *p.endpoint.Conditions.Serving = false },
	"terminating":      func(p parts) { *p.endpoint.Conditions.Terminating = true },
	"hostname":         func(p parts) { p.endpoint.Hostname = p.endpoint.Zone },
	"node":             func(p parts) { *p.endpoint.NodeName = "other" },
	"zone":             func(p parts) { *p.endpoint.Zone = "other" },
	"hints":            func(p parts) { p.endpoint.Hints = endpoint.Hints([]discoveryv1.ForZone{{Name: "a"}}, nil) },
	"target kind":      func(p parts) { p.endpoint.TargetRef.Kind = "VM" },
	"target namespace": func(p parts) { p.endpoint.TargetRef.Namespace = "other" },
	"target name":      func(p parts) { p.endpoint.TargetRef.Name = "other" },
	"target UID":       func(p parts) { p.endpoint.TargetRef.UID = "other" },
}
