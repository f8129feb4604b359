package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// orderWeaknesses come from maps: which endpoint goes where, and which write comes first.
var orderWeaknesses = []weakness{{
	name:        "endpoints are dealt at random",
	why:         "the same Pods end up in different slices each time, so that nothing can be compared or repeated",
	reference:   func(t *testing.T) string { return twice(t, fresh(12, 5), ByReference) },
	slicewright: func(t *testing.T) string { return twice(t, fresh(12, 5), BySlicewright) },
}, {
	name:        "the order of the list decides who keeps a duplicate",
	why:         "kubernetes#100033: lists come from maps, so that the writes differ for one and the same state",
	reference:   func(t *testing.T) string { return shuffledTwins(t, listed) },
	slicewright: func(t *testing.T) string { return shuffledTwins(t, BySlicewright) },
}, {
	name:        "endpoints vanish between two writes",
	why:         "a slice is overwritten before what it held is written elsewhere: nothing answers for as long as that takes",
	reference:   func(t *testing.T) string { return gap(t, ByReference) },
	slicewright: func(t *testing.T) string { return gap(t, BySlicewright) },
}, {
	name:        "a late cache creates slices twice",
	why:         "kubernetes#100033, #93374: with generated names the same plan, made twice, leaves everything there twice",
	reference:   func(t *testing.T) string { return repeated(t, ByReference) },
	slicewright: func(t *testing.T) string { return repeated(t, stable) },
}}

// fresh is a cluster with nothing published.
func fresh(n, most int) *Cluster {
	c := NewCluster(n)
	c.Max = most
	return c
}

// publishedCluster is one in which slicewright published everything.
func publishedCluster(t *testing.T, n, most int) *Cluster {
	t.Helper()
	c := fresh(n, most)
	if _, err := c.PublishAll(BySlicewright); err != nil {
		t.Fatal(err)
	}
	return c
}

func must(t *testing.T, c *Cluster, plan Side) []Write {
	t.Helper()
	writes, err := plan(c.clone())
	if err != nil {
		t.Fatal(err)
	}
	return writes
}

// twice plans two times and says whether that makes a difference.
func twice(t *testing.T, c *Cluster, plan Side) string {
	if a, b := must(t, c, plan), must(t, c, plan); !reflect.DeepEqual(a, b) {
		return fmt.Sprintf("planned twice:\n%sand\n%s", Describe(a), Describe(b))
	}
	return ""
}

// listed lets the reference see slices in the order in which they are listed.
func listed(c *Cluster) ([]Write, error) {
	return NewReference(c).Reconcile(c, c.selected(), copies(c.live()))
}

// shuffledTwins plans for two slices that hold the same, in either order.
func shuffledTwins(t *testing.T, plan Side) string {
	c := publishedCluster(t, 3, 5)
	twin := c.Slices[0].DeepCopy()
	twin.Name, twin.UID, twin.ResourceVersion = "twin", "twin", "9"
	c.Slices = append(c.Slices, twin)
	a := must(t, c, plan)
	slices.Reverse(c.Slices)
	if b := must(t, c, plan); !reflect.DeepEqual(a, b) {
		return fmt.Sprintf("%sor, in another order of the list,\n%s", Describe(a), Describe(b))
	}
	return ""
}

// gap changes the port of Pods in full slices and looks who is published nowhere after each write.
func gap(t *testing.T, plan Side) string {
	c := publishedCluster(t, 8, 2)
	c.Service.Spec.Ports[0].TargetPort = intstr.FromInt32(8081)
	writes := must(t, c, plan)
	for n := range writes {
		now := whereabouts(After(c.Slices, writes[:n+1]))
		for e := range whereabouts(c.Slices) {
			if now[e] == "" {
				return fmt.Sprintf("%s is nowhere after %d of %d writes", e, n+1, len(writes))
			}
		}
	}
	return ""
}

// stable plans with names of its own, as the README's loop does.
var stable = With(func(o *slicer.Options) { o.GeneratedNames = false })

// repeated plans and publishes twice, the second time from a cache that has not seen the first.
func repeated(t *testing.T, plan Side) string {
	c, server := fresh(6, 3), &sim.Server{}
	for range 2 {
		if err := Publish(server, must(t, c, plan)); err != nil {
			break // it collides, and the controller plans again later
		}
	}
	if n := len(server.List()); n > 2 {
		return fmt.Sprintf("%d slices where 2 are wanted", n)
	}
	return ""
}

// dying marks a slice as being deleted.
func dying(s *discoveryv1.EndpointSlice) {
	s.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	s.Finalizers = []string{"example.com/wait"}
}
