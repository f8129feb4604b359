package service_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestZoneFromPod: without Nodes to ask, a Pod's own label tells its zone, by option; with Nodes, they alone do (KEP-4742).
func TestZoneFromPod(t *testing.T) {
	labelled := func(zone string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Labels[corev1.LabelTopologyZone] = zone }
	}
	on := func(name string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = name } }
	o := service.Options{ManagedBy: manager, ZoneFromPod: true}
	const inZone, zoneless = "ipv4 http:8080 | 10.0.0.1{pod=web-1,uid=u1,node=n3,zone=own,ready,serving,!terminating}",
		"ipv4 http:8080 | 10.0.0.1{pod=web-1,uid=u1,node=n3,ready,serving,!terminating}"
	checkServiceRows(t, []serviceRow{
		{
			why: "the Pod's label is its zone", noNodes: true, options: o,
			pods: []*corev1.Pod{aPod(1, labelled("own"), on("n3"))}, want: inZone,
		},
		{
			why: "not without the option: anybody may have written the label", noNodes: true,
			pods: []*corev1.Pod{aPod(1, labelled("own"), on("n3"))}, want: zoneless,
		},
		{
			why: "with Nodes their label alone decides", options: o, pods: []*corev1.Pod{aPod(1, labelled("own"))},
			want: "ipv4 http:8080 | 10.0.0.1",
		},
		{
			why: "also where the Node has none", options: o,
			pods: []*corev1.Pod{aPod(1, labelled("own"), on("n3"))}, want: zoneless,
		},
		{
			why: "what the API server would refuse is no zone", noNodes: true, options: o,
			pods: []*corev1.Pod{aPod(1, labelled("-z"), on("n3"))}, want: zoneless,
		},
	})
	if !service.PodMatters(aPod(1), aPod(1, labelled("own")), o) {
		t.Error("a new zone does not matter")
	}
}
