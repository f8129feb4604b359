package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// sliceWeaknesses are about which slices there are, and what they carry.
var sliceWeaknesses = []weakness{{
	name:        "a slice above a lowered maximum stays above it",
	why:         "written anew, it still holds more than the operator allows",
	reference:   func(t *testing.T) string { return aboveMaximum(t, ByReference) },
	slicewright: func(t *testing.T) string { return aboveMaximum(t, BySlicewright) },
}, {
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
}, {
	name:        "the placeholder of an earlier Service is kept",
	why:         "the garbage collector deletes it with its owner, and nothing replaces it until the next change",
	reference:   func(t *testing.T) string { return oldPlaceholder(t, ByReference) },
	slicewright: func(t *testing.T) string { return oldPlaceholder(t, BySlicewright) },
}, {
	name:        "an empty slice with ports stays for ever",
	why:         "it is an object to watch that says nothing",
	reference:   func(t *testing.T) string { return emptyWithPorts(t, ByReference) },
	slicewright: func(t *testing.T) string { return emptyWithPorts(t, BySlicewright) },
}, {
	name:        "the headless label is never repaired",
	why:         "a Service's clients rely on it, and one lost label stays lost until something else changes",
	reference:   func(t *testing.T) string { return unlabelled(t, ByReference) },
	slicewright: func(t *testing.T) string { return unlabelled(t, BySlicewright) },
}, {
	name:        "a lost owner reference costs the slice",
	why:         "all of it is deleted and created anew for one line of metadata",
	reference:   func(t *testing.T) string { return withoutOwner(t, ByReference) },
	slicewright: func(t *testing.T) string { return withoutOwner(t, BySlicewright) },
}}

func aboveMaximum(t *testing.T, plan Side) string {
	c := publishedCluster(t, 10, 10)
	c.Max, c.Pods = 5, c.Pods[1:]
	for _, s := range After(c.Slices, must(t, c, plan)) {
		if len(s.Endpoints) > c.Max {
			return fmt.Sprintf("%d endpoints are written into a slice for %d", len(s.Endpoints), c.Max)
		}
	}
	return ""
}

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

func oldPlaceholder(t *testing.T, plan Side) string {
	c := publishedCluster(t, 0, 5)
	c.Service.UID = "service-2"
	for _, s := range After(c.Slices, must(t, c, plan)) {
		if !ownedBy(s, c.Service) {
			return fmt.Sprintf("%s stays, and belongs to %s", s.Name, s.OwnerReferences[0].UID)
		}
	}
	return ""
}

func emptyWithPorts(t *testing.T, plan Side) string {
	c := publishedCluster(t, 3, 5)
	empty := c.Slices[0].DeepCopy()
	empty.Name, empty.UID, empty.Endpoints = "empty", "empty", nil
	c.Slices = append(c.Slices, empty)
	for _, s := range After(c.Slices, must(t, c, plan)) {
		if len(s.Endpoints) == 0 {
			return s.Name + " stays"
		}
	}
	return ""
}

func unlabelled(t *testing.T, plan Side) string {
	c := fresh(3, 5)
	c.Service.Spec.ClusterIP = corev1.ClusterIPNone
	if _, err := c.PublishAll(BySlicewright); err != nil {
		t.Fatal(err)
	}
	delete(c.Slices[0].Labels, corev1.IsHeadlessService)
	after := After(c.Slices, must(t, c, plan))
	if _, ok := after[0].Labels[corev1.IsHeadlessService]; !ok {
		return fmt.Sprintf("it stays %v", after[0].Labels)
	}
	return ""
}

func withoutOwner(t *testing.T, plan Side) string {
	c := publishedCluster(t, 3, 5)
	c.Slices[0].OwnerReferences = nil
	writes := must(t, c, plan)
	if slices.ContainsFunc(writes, func(w Write) bool { return w.Verb == slicer.Delete }) {
		return Describe(writes)
	}
	return ""
}

// TestInputUntouched: the reference sorts addresses and ports inside the objects that it is given, which are those of a
// cache that others read (kubernetes#85368, #86092, #94443); slicewright changes nothing.
func TestInputUntouched(t *testing.T) {
	c := publishedCluster(t, 1, 5)
	c.Service.Spec.Ports = append(c.Service.Spec.Ports, corev1.ServicePort{Name: "admin", Protocol: corev1.ProtocolTCP, Port: 81, TargetPort: intstr.FromInt32(81)})
	for _, permuted := range [][]int{{0, 1}, {1, 0}} {
		d := c.clone()
		if _, err := d.PublishAll(BySlicewright); err != nil {
			t.Fatal(err)
		}
		s := d.Slices[0]
		s.Ports = []discoveryv1.EndpointPort{s.Ports[permuted[0]], s.Ports[permuted[1]]}
		s.Endpoints[0].Addresses = []string{"10.0.0.9", "10.0.0.1"}
		before := s.DeepCopy()
		must(t, d, BySlicewright)
		if !reflect.DeepEqual(before, s) {
			t.Fatal("slicewright changed its input")
		}
		if _, err := NewReference(d).Reconcile(d, d.selected(), d.Slices); err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(before, s) {
			t.Logf("MENDED: %s leaves its input as it is.", version(t))
		}
	}
}
