package dedup_test

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	check "github.com/slicewright/slicewright/internal/test/check/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// TestPlansAsEvents feeds an index with the writes of slicer's plans: Pods come and go, and ports change, over several
// slices. Every flush is checked; and while ports change and Pods stay, each Pod is at one port number at least after
// every single write (G6 for the writer, D1 for the reader). Readers that lose moved endpoints fail here.
func TestPlansAsEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{Watch: check.Watch{Index: newIndex(dedup.Options{}), Truth: map[string]*discoveryv1.EndpointSlice{}}}
		w.packing = rapid.SampledFrom([]slicer.Packing{slicer.InPlace, slicer.Compact}).Draw(t, "packing")
		pods := rapid.IntRange(1, 40).Draw(t, "pods")
		port := discoveryv1.EndpointPort{Name: ptr("http"), Port: ptr(int32(8080)), Protocol: ptr(corev1.ProtocolTCP)}
		w.plan(t, pods, port, false)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				pods = rapid.IntRange(1, 40).Draw(t, "pods")
				w.plan(t, pods, port, false)
			case 1:
				port.Port = ptr(*port.Port + 1)
				w.plan(t, pods, port, true)
			default:
				port.Name = ptr(*port.Name + "x")
				w.plan(t, pods, port, true)
			}
		}
	})
}

type writer struct {
	check.Watch
	version int
	packing slicer.Packing
}

// plan plans for n Pods behind a port and applies the plan step by step.
func (w *writer) plan(t *rapid.T, n int, port discoveryv1.EndpointPort, podsStay bool) {
	group := slicer.Group{Ports: []discoveryv1.EndpointPort{port}}
	for i := range n {
		group.Endpoints = append(group.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{gen.Address(i)},
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint("u", i))},
		})
	}
	plan, err := slicer.Compute(slicer.Input{
		Set:    slicer.Set{Namespace: "default", Name: "web", ManagedBy: "test"},
		Groups: []slicer.Group{group},
		Options: slicer.Options{
			MaxEndpointsPerSlice: 7, Packing: w.packing,
		},
	}, w.List())
	if err != nil {
		t.Fatal(err)
	}
	if !podsStay {
		w.Index.Flush()
	}
	for _, step := range plan.Steps {
		w.write(step)
		w.Flush(t)
		if groups := len(slices.Collect(w.Index.View().ByTarget(webHTTP.Service))); podsStay && groups != n {
			t.Fatalf("%d of %d Pods after %v", groups, n, step)
		}
	}
	if groups := len(slices.Collect(w.Index.View().ByTarget(webHTTP.Service))); groups != n {
		t.Fatalf("%d of %d Pods after the plan", groups, n)
	}
}

// write does a step, and tells the index as a watch would.
func (w *writer) write(step slicer.Step) {
	if step.New == nil {
		delete(w.Truth, step.Old.Name)
		w.Index.Delete(step.Old.Namespace, step.Old.Name)
		return
	}
	w.version++
	stored := step.New.DeepCopy()
	stored.ResourceVersion = fmt.Sprint(w.version)
	w.Truth[stored.Name] = stored
	w.Index.Upsert(stored)
}

// TestWritesInAnyOrder replays the writes of a changed target port over 150 Pods, where a reader that takes off what a
// slice used to have loses 18 to 23 of them, in other orders than they were made: a watch keeps the order of one
// object's events, not that of several objects.
func TestWritesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var before, after []*discoveryv1.EndpointSlice
		for _, s := range manySlices(150) {
			before = append(before, s)
			reported := s.DeepCopy()
			reported.Ports[0].Port = ptr(int32(9090))
			after = append(after, reported)
		}
		// The reference deals 74 to 96 of 150 endpoints to the other slice: deal likewise.
		first, second := after[0], after[1]
		for i := range second.Endpoints {
			if rapid.Bool().Draw(t, "swap") {
				first.Endpoints[i], second.Endpoints[i] = second.Endpoints[i], first.Endpoints[i]
			}
		}
		ix := newIndex(dedup.Options{})
		ix.Replace(before)
		ix.Flush()
		for _, s := range rapid.Permutation(after).Draw(t, "order") {
			ix.Upsert(s)
			if rapid.Bool().Draw(t, "flush") {
				ix.Flush()
			}
		}
		ix.Flush()
		if err := check.View(after, dedup.Options{}, ix.View()); err != nil {
			t.Fatal(err)
		}
		if n := length(ix.View()); n != 150 {
			t.Fatalf("%d of 150 endpoints", n)
		}
	})
}

// TestNewestIsTheWriters holds readers and writers to one order of slices: of several slices that hold a Pod, a plan keeps it in the
// one that a reader takes it from.
func TestNewestIsTheWriters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web-0"}}
		var list []*discoveryv1.EndpointSlice
		for _, name := range sliceNames[:rapid.IntRange(2, 4).Draw(t, "slices")] {
			s := slice(name)
			s.Labels[discoveryv1.LabelManagedBy] = "test"
			s.ResourceVersion = rapid.SampledFrom([]string{"", "9", "10", "010", "x", "99999999999999999999", "100000000000000000000"}).Draw(t, "version")
			s.Endpoints = []discoveryv1.Endpoint{pod}
			list = append(list, s)
		}
		plan, err := slicer.Compute(slicer.Input{
			Set: web, Groups: []slicer.Group{{Ports: list[0].Ports, Endpoints: []discoveryv1.Endpoint{pod}}},
		}, list)
		if err != nil {
			t.Fatal(err)
		}
		kept := map[string]bool{}
		for _, s := range list {
			kept[s.Name] = true
		}
		for _, step := range plan.Steps {
			if step.New == nil {
				delete(kept, step.Old.Name)
			}
		}
		found, _ := dedup.OnePort(list, dedup.PortOptions{Port: "http"})
		if len(kept) != 1 || len(found) != 1 || !kept[found[0].Slice.Name] {
			t.Fatalf("the plan keeps the Pod in %v, and a reader takes it from %v", kept, found)
		}
	})
}
