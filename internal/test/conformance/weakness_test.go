package conformance

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// weakness is something that the reference does wrong, a deviation that never makes an outcome of [Compare] differ. Each side says
// what it did wrong this time, "" for nothing.
type weakness struct {
	deviation   string
	why         string // it matters, with who ran into it
	reference   func(t *testing.T) string
	slicewright func(t *testing.T) string
}

// by lets both sides do the same.
func by(deviation, why string, reference, slicewright Side, do func(*testing.T, Side) string) weakness {
	return weakness{deviation, why, func(t *testing.T) string { return do(t, reference) }, func(t *testing.T) string { return do(t, slicewright) }}
}

var weaknesses = []weakness{
	by("slicer 2", "kubernetes#100033: the order of the list decides who keeps a duplicate, and lists come from maps", listed, BySlicewright, shuffledTwins),
	{"slicer 3", "a Pod and a virtual machine of one name and address: one of them is lost", kindsInSet, kindsInPlan},
	by("slicer 4", "nil ready means true, and a slice that says so in the short way is written anew", ByReference, BySlicewright, shortConditions),
	{"slicer 4", "kubernetes#133474: the API server stores what was left out as \"\" and TCP, so that its producer writes for ever", portKeys, shortPorts},
	by("slicer 6", "a slice is overwritten before what it held is written elsewhere: nothing answers for as long as that takes", ByReference, BySlicewright, missing),
	by("slicer 7", "kubernetes#108267: annotations, finalizers and the guard against lost updates are gone", ByReference, BySlicewright, reused),
	{"slicer 10", "of two endpoints with one identity the last wins: the order of the list decides whether the address is ready", lastInSet, lastInPlan},
	by("slicer 12", "kubernetes#108779: what is put into a slice that is being deleted disappears with it", withDying, BySlicewright, writesDying),
	by("slicer 18", "kubernetes#100033, #93374: the same plan, made twice from a late cache, leaves everything there twice", ByReference, stable, repeated),
	{"hints 4", "gardener#7191, kubernetes#113731: hints differ from run to run", func(*testing.T) string { return unpredictable((*Hinting).Reference) },
		func(t *testing.T) string {
			return unpredictable(func(h *Hinting) *hintingOutcome { return decided(t, h) })
		}},
}

// runs is how often the reference may try: where map order decides, it is right in some of them.
const runs = 40

// TestWeaknesses shows what the reference does wrong, and that slicewright does not. It fails on slicewright alone: where
// the reference is right every time, a later release has mended it, and the test says so.
func TestWeaknesses(t *testing.T) {
	for _, w := range weaknesses {
		t.Run(w.deviation, func(t *testing.T) {
			shown := ""
			for run := 0; run < runs && shown == ""; run++ {
				shown = w.reference(t)
			}
			if shown == "" {
				t.Logf("MENDED: %s does not show this in %d runs (%s). Look whether a deviation or this test can go.", version(t), runs, w.why)
			} else {
				t.Logf("%s. The reference: %s", w.why, shown)
			}
			for range runs {
				if wrong := w.slicewright(t); wrong != "" {
					t.Fatalf("slicewright: %s", wrong)
				}
			}
		})
	}
}

// version is the reference's module and version, from go.mod: test binaries do not know.
func version(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	return string(regexp.MustCompile(`k8s\.io/endpointslice v\S+`).Find(data))
}

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

// missing changes the port of Pods in full slices and looks who is published nowhere after each write.
func missing(t *testing.T, plan Side) string {
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
	c.Slices[0].DeletionTimestamp, c.Slices[0].Finalizers = &metav1.Time{Time: time.Unix(1, 0)}, []string{"example.com/wait"}
	c.Pods = append(c.Pods, NewPod(7, "node-0"))
	for _, w := range must(t, c, plan) {
		if w.Name == c.Slices[0].Name {
			return fmt.Sprintf("%s %s, which is being deleted", w.Verb, w.Name)
		}
	}
	return ""
}

func shortConditions(t *testing.T, plan Side) string {
	c := publishedCluster(t, 1, 10)
	c.Slices[0].Endpoints[0].Conditions = discoveryv1.EndpointConditions{}
	if writes := must(t, c, plan); len(writes) > 0 {
		return Describe(writes)
	}
	return ""
}

// portKeys compares keys as the reference compares slices with what is wanted.
func portKeys(*testing.T) string {
	stored := []discoveryv1.EndpointPort{{Name: new(""), Protocol: new(corev1.ProtocolTCP), Port: new(int32(80))}}
	wanted := []discoveryv1.EndpointPort{{Port: new(int32(80))}}
	if util.NewPortMapKey(stored) != util.NewPortMapKey(wanted) {
		return "what was stored for a port set is not that port set"
	}
	return ""
}

// plain is an input without Service, with one wanted group.
func plain(ports []discoveryv1.EndpointPort, endpoints ...discoveryv1.Endpoint) given.World {
	return given.World{Input: slicer.Input{
		Set:    slicer.Set{Namespace: namespace, Name: serviceName, ManagedBy: "slices.example.com"},
		Groups: []slicer.Group{{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports, Endpoints: endpoints}},
	}}
}

func compute(t *testing.T, in given.World) slicer.Plan {
	t.Helper()
	plan, err := in.Compute()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func shortPorts(t *testing.T) string {
	in := plain([]discoveryv1.EndpointPort{{Port: new(int32(80))}}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}})
	server := &sim.Server{}
	if err := Publish(server, writesOf(compute(t, in))); err != nil {
		t.Fatal(err)
	}
	in.Existing = server.List()
	if plan := compute(t, in); !plan.Empty() {
		return plan.String()
	}
	return ""
}

func targeted(kind string, ready bool) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses: []string{"10.0.0.1"}, Conditions: discoveryv1.EndpointConditions{Ready: &ready},
		TargetRef: &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: "web-1"},
	}
}

func kindsInSet(*testing.T) string {
	pod, machine := targeted("Pod", true), targeted("VirtualMachine", true)
	if n := (util.EndpointSet{}).Insert(&pod, &machine).Len(); n != 2 {
		return fmt.Sprintf("%d of 2 endpoints", n)
	}
	return ""
}

func kindsInPlan(t *testing.T) string {
	plan := compute(t, plain(nil, targeted("Pod", true), targeted("VirtualMachine", true)))
	if n := plan.Stats().Added; n != 2 {
		return fmt.Sprintf("%d of 2 endpoints", n)
	}
	return ""
}

func lastInSet(*testing.T) string {
	ready, not := targeted("Pod", true), targeted("Pod", false)
	kept := (util.EndpointSet{}).Insert(&ready, &not).UnsortedList()[0]
	if !isReady(kept) {
		return "the ready one is lost"
	}
	return ""
}

func lastInPlan(t *testing.T) string {
	wanted := []discoveryv1.Endpoint{targeted("Pod", true), targeted("Pod", false)}
	for range 2 {
		plan := compute(t, plain(nil, wanted...))
		if kept := plan.Steps[0].New.Endpoints; len(kept) != 1 || !isReady(&kept[0]) || len(plan.Skips) != 1 {
			return plan.String()
		}
		slices.Reverse(wanted)
	}
	return ""
}

// hinted hints all endpoints so far to their own zones.
func (h *Hinting) hinted() *Hinting {
	for _, s := range h.Slices {
		for i := range s.Endpoints {
			s.Endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: *s.Endpoints[i].Zone}}}
		}
	}
	return h
}

func unpredictable(decide func(*Hinting) *hintingOutcome) string {
	h := zoned(5, 5, 5, 5).with(true, "aaaaaaaaaaab")
	if a, b := allHints(decide(h).slices[0]), allHints(decide(h).slices[0]); a != b {
		return a + " or " + b
	}
	return ""
}

// decided is what slicewright decides.
func decided(t *testing.T, h *Hinting) *hintingOutcome {
	o, _, err := h.Slicewright()
	if err != nil {
		t.Fatal(err)
	}
	return o
}
