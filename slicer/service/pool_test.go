package service_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// TestPlanOwnsItsMemory overwrites the memory that Plan would give back to its pool. The plan says what it said, Skips included.
func TestPlanOwnsItsMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawServiceWorld(t)
		var existing []*discoveryv1.EndpointSlice
		if rapid.Bool().Draw(t, "published before") {
			existing = planWith(t, w, false, nil).After()
			corruptSome(t, existing)
		}
		want := planSaid(t, planWith(t, w, false, existing))
		m := &service.Memory{}
		plan, err := m.Plan(w.service, w.pods, w.node(), existing, w.options)
		if err != nil {
			t.Fatal(err)
		}
		memory.Overwrite(m)
		if have := planSaid(t, plan); have != want {
			t.Fatalf("a plan points into the memory of a pool:\n%s\nwant\n%s", have, want)
		}
	})
}

func planSaid(t *rapid.T, plan slicer.Plan) string {
	out := planText(t, plan) + plan.String()
	for _, s := range plan.Skips {
		out += s.Error()
	}
	return out
}

// manyPods are Pods on as many Nodes, of which each is found.
func manyPods(n int) (pods []*corev1.Pod, node func(name string) *corev1.Node) {
	for i := range n {
		pods = append(pods, aPod(1, func(p *corev1.Pod) {
			p.Name, p.Spec.NodeName = fmt.Sprint("web-", i), fmt.Sprint("node-", i%5000)
			p.Status.PodIPs = []corev1.PodIP{{IP: fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)}}
		}))
	}
	return pods, func(string) *corev1.Node { return &corev1.Node{} }
}

// TestReleaseInProportion plans for many Pods and then for three in the same memory, which touches no more of it than three Pods
// need.
func TestReleaseInProportion(t *testing.T) {
	m := &service.Memory{}
	plan := func(n int) {
		pods, node := manyPods(n)
		if _, err := m.Plan(aService(), pods, node, nil, service.Options{ManagedBy: manager}); err != nil {
			t.Fatal(err)
		}
	}
	plan(10000)
	touched := memory.Untouched(m)
	plan(3)
	if n := touched(); n > 100 {
		t.Errorf("a plan for 3 Pods touches %d elements of memory that a plan for 10000 left", n)
	}
}

// BenchmarkAfterMany measures a plan for three Pods that changes nothing: in memory of its own, and in memory that a plan for 100000
// Pods on 5000 Nodes has left.
func BenchmarkAfterMany(b *testing.B) {
	pods, node := manyPods(3)
	o := service.Options{ManagedBy: manager}
	first, err := service.Plan(aService(), pods, node, nil, o)
	if err != nil {
		b.Fatal(err)
	}
	existing := first.After()
	for _, before := range []int{3, 100000} {
		b.Run(fmt.Sprint("before=", before), func(b *testing.B) {
			m := &service.Memory{}
			many, node := manyPods(before)
			if _, err := m.Plan(aService(), many, node, existing, o); err != nil {
				b.Fatal(err)
			}
			svc := aService()
			for b.Loop() {
				if plan, err := m.Plan(svc, pods, node, existing, o); err != nil || !plan.Empty() {
					b.Fatal(plan, err)
				}
			}
		})
	}
}
