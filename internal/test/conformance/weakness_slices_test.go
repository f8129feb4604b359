package conformance

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// sliceWeaknesses are about which slices there are, and what they carry.
var sliceWeaknesses = []weakness{{
	name:        "the maximum is not checked",
	why:         "above 1000 endpoints the API server refuses the slice with all that is in it",
	reference:   func(t *testing.T) string { return maximum(t, ByReference) },
	slicewright: func(t *testing.T) string { return maximum(t, BySlicewright) },
}, {
	name:        "sparse slices are never joined",
	why:         "kubernetes#81048: after a scale-down to 1% most slices are left, each with an endpoint or two",
	reference:   func(t *testing.T) string { return sparse(t, ByReference) },
	slicewright: func(t *testing.T) string { return sparse(t, compact) },
}, {
	name:        "a re-used slice loses what others put on it",
	why:         "kubernetes#108267: annotations, finalizers and the guard against lost updates are gone",
	reference:   func(t *testing.T) string { return reused(t, ByReference) },
	slicewright: func(t *testing.T) string { return reused(t, BySlicewright) },
}, {
	name:        "a slice that is being deleted is still written",
	why:         "kubernetes#108779: what is put there disappears with it",
	reference:   func(t *testing.T) string { return writesDying(t, withDying) },
	slicewright: func(t *testing.T) string { return writesDying(t, BySlicewright) },
}}

func maximum(t *testing.T, plan Side) string {
	writes, err := plan(fresh(1200, 1200))
	if err != nil {
		return "" // it says so
	}
	if err := Publish(&sim.Server{}, writes); err != nil {
		return err.Error()
	}
	return ""
}

// compact joins slices where they are written anyway.
var compact = With(func(o *slicer.Options) { o.Packing = slicer.Compact })

// sparse keeps every tenth of 1000 Pods.
func sparse(t *testing.T, plan Side) string {
	c := publishedCluster(t, 1000, 100)
	var some []*corev1.Pod
	for i := 0; i < len(c.Pods); i += 10 {
		some = append(some, c.Pods[i])
	}
	c.Pods = some
	if n := len(After(c.Slices, must(t, c, plan))); n > 1 {
		return fmt.Sprintf("%d slices for %d endpoints", n, len(some))
	}
	return ""
}

// reused replaces the one Pod by one with another port, in a slice that others annotated.
func reused(t *testing.T, plan Side) string {
	c := publishedCluster(t, 1, 5)
	c.Slices[0].Annotations["example.com/note"] = "keep"
	c.Slices[0].Finalizers = []string{"example.com/keep"}
	c.Service.Spec.Ports[0].TargetPort = intstr.FromInt32(8081)
	c.Pods = []*corev1.Pod{NewPod(7, "node-0")}
	for _, w := range must(t, c, plan) {
		if w.Verb != slicer.Update {
			continue
		}
		if w.Slice.Annotations["example.com/note"] == "" || len(w.Slice.Finalizers) == 0 || w.Slice.ResourceVersion == "" {
			return fmt.Sprintf("written with annotations %v, finalizers %v, resourceVersion %q", w.Slice.Annotations, w.Slice.Finalizers, w.Slice.ResourceVersion)
		}
	}
	return ""
}

// withDying gives the reference all slices, as a caller does who does not know better.
func withDying(c *Cluster) ([]Write, error) {
	return NewReference(c).Reconcile(c, c.selected(), copies(c.Slices))
}

func writesDying(t *testing.T, plan Side) string {
	c := publishedCluster(t, 2, 5)
	dying(c.Slices[0])
	c.Pods = append(c.Pods, NewPod(7, "node-0"))
	for _, w := range must(t, c, plan) {
		if w.Name == c.Slices[0].Name {
			return fmt.Sprintf("%s %s, which is being deleted", w.Verb, w.Name)
		}
	}
	return ""
}
