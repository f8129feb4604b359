package dedup_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/slicer"
)

// TestSlicerAgreesAboutNewest holds readers and writers to one order of slices: of several slices
// that hold a Pod, a plan keeps it in the one that a reader takes it from.
func TestSlicerAgreesAboutNewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"},
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web-0"}}
		var list []*discoveryv1.EndpointSlice
		for _, name := range gen.SliceNames[:rapid.IntRange(2, 4).Draw(t, "slices")] {
			s := slice(name)
			s.Labels[discoveryv1.LabelManagedBy] = "test"
			s.ResourceVersion = rapid.SampledFrom([]string{"", "9", "10", "010", "x", "99999999999999999999",
				"100000000000000000000"}).Draw(t, "version")
			s.Endpoints = []discoveryv1.Endpoint{pod}
			list = append(list, s)
		}
		plan, err := slicer.Compute(slicer.Input{
			Key: slicer.Key{Namespace: "default", Name: "web", ManagedBy: "test"},
			Groups: []slicer.Group{{
				AddressType: list[0].AddressType, Ports: list[0].Ports, Endpoints: []slicer.Endpoint{{API: pod}},
			}},
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
		found, _ := dedup.OnePort(list, "http", "", dedup.Options{})
		if len(kept) != 1 || len(found) != 1 || !kept[found[0].Slice] {
			t.Fatalf("the plan keeps the Pod in %v, and a reader takes it from %v", kept, found)
		}
	})
}
