package conformance

import (
	"fmt"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/endpointslice/util"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer/service"
)

// hintWeaknesses are about topology mode Auto, except for the last.
var hintWeaknesses = []weakness{{
	name:        "a zone is left with nothing although all could have their share",
	why:         "the stop rule ends half an endpoint too early: 88 and 5 cores, five endpoints, none for the small zone",
	reference:   func(*testing.T) string { return starved(byReference) },
	slicewright: func(*testing.T) string { return starved(bySlicewright) },
}, {
	name:        "hints differ from run to run",
	why:         "gardener#7191, kubernetes#113731: users cannot predict them, so they do not use them",
	reference:   func(*testing.T) string { return unpredictable(byReference) },
	slicewright: func(*testing.T) string { return unpredictable(bySlicewright) },
}, {
	name:        "one new Pod changes the hints of others",
	why:         "the clients of Pods that did not change are sent elsewhere",
	reference:   func(t *testing.T) string { return restless(t, ByReference) },
	slicewright: func(t *testing.T) string { return restless(t, BySlicewright) },
}, {
	name:        "an endpoint without zone makes every sync write",
	why:         "hints are off and stay off, and yet each slice is sent to the API server each time",
	reference:   func(*testing.T) string { return needless(byReference, zoneless()) },
	slicewright: func(*testing.T) string { return needless(bySlicewright, zoneless()) },
}, {
	name:        "an endpoint in a zone without Nodes makes every sync write",
	why:         "it is hinted to its own zone, which nobody uses, and its slice is sent to the API server each time",
	reference:   func(*testing.T) string { return needless(byReference, unweighted()) },
	slicewright: func(*testing.T) string { return needless(bySlicewright, unweighted()) },
}, {
	name:        "with two families every sync sends events",
	why:         "whether hints are on is remembered for the Service, not for each family: enabled, disabled, enabled",
	reference:   events,
	slicewright: changed,
}, {
	name:        "hints that could start again do not",
	why:         "kubernetes#114215, #123401: the Nodes are fine again, but nothing asks for Services whose hints are off",
	reference:   func(*testing.T) string { return forgotten() },
	slicewright: func(t *testing.T) string { return remembered(t) },
}}

func byReference(h *Hinting) *hintingOutcome { return h.Reference() }

func bySlicewright(h *Hinting) *hintingOutcome {
	o, _, err := h.Slicewright()
	if err != nil {
		panic(err)
	}
	return o
}

// zoned makes Nodes with these cores in zones a, b, c and so on, and no slices.
func zoned(cores ...int) *Hinting {
	h := &Hinting{Mode: hints.Proportional, Nodes: map[string]*corev1.Node{}}
	for i, n := range cores {
		node := NewNode("node-"+zoneNames[i], zoneNames[i], n)
		h.Nodes[node.Name] = node
	}
	return h
}

// with adds a slice that has an endpoint in each zone of homes, a letter each.
func (h *Hinting) with(written bool, homes string) *Hinting {
	s := hints.Slice{Name: fmt.Sprintf("s%d", len(h.Slices)), Written: written}
	for i, zone := range homes {
		s.Endpoints = append(s.Endpoints, zoneEndpoint(len(h.Slices)*100+i, string(zone)))
	}
	h.Slices = append(h.Slices, s)
	return h
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

// after is the same with the slices as they are then, none of them written for another reason.
func (h *Hinting) after(o *hintingOutcome) *Hinting {
	next := &Hinting{Mode: h.Mode, Nodes: h.Nodes}
	for i, s := range h.Slices {
		next.Slices = append(next.Slices, hints.Slice{Name: s.Name, Endpoints: o.slices[i].DeepCopy().Endpoints})
	}
	return next
}

func starved(decide func(*Hinting) *hintingOutcome) string {
	if got := countHints(decide(zoned(88, 5).with(true, "aaaaa")).slices); got.zones["b"] < 1 {
		return fmt.Sprint("hinted ", got.zones)
	}
	return ""
}

func unpredictable(decide func(*Hinting) *hintingOutcome) string {
	h := zoned(5, 5, 5, 5).with(true, "aaaaaaaaaaab")
	if a, b := allHints(decide(h).slices[0]), allHints(decide(h).slices[0]); a != b {
		return a + " or " + b
	}
	return ""
}

// restless replaces a Pod of 30 by one in the same zone.
func restless(t *testing.T, plan Side) string {
	c := fresh(0, 100)
	c.Service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	for i := range 30 {
		node := "node-0"
		if i >= 16 {
			node = "node-1"
		}
		if i >= 24 {
			node = "node-2"
		}
		c.Pods = append(c.Pods, NewPod(i, node))
	}
	if _, err := c.PublishAll(plan); err != nil {
		t.Fatal(err)
	}
	before := outcomeOf(c, nil).hints()
	c.Pods[29] = NewPod(100, "node-2")
	others := 0
	for place, hint := range outcomeOf(c, must(t, c, plan)).hints() {
		if old, ok := before[place]; ok && old != hint {
			others++
		}
	}
	if others > 0 {
		return fmt.Sprintf("%d others are hinted to another zone", others)
	}
	return ""
}

func zoneless() *Hinting {
	h := zoned(4, 4).with(false, "aabb").with(false, "ab")
	h.Slices[1].Endpoints[0].Zone = nil
	return h
}

func unweighted() *Hinting { return zoned(16, 16).with(true, "abcc") }

// needless decides three times and counts the slices sent the third time.
func needless(decide func(*Hinting) *hintingOutcome, h *Hinting) string {
	h = h.after(decide(h))
	h = h.after(decide(h))
	if n := decide(h).sent; n > 0 {
		return fmt.Sprintf("%d of %d slices are sent the third time", n, len(h.Slices))
	}
	return ""
}

// dual has two families of which one has too few endpoints for hints.
func dual() *Cluster {
	c := fresh(6, 100)
	c.Service.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	c.Service.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	c.Pods[0].Status.PodIPs = append(c.Pods[0].Status.PodIPs, corev1.PodIP{IP: "fd00::1"})
	return c
}

// counter counts events.
type counter struct {
	record.EventRecorder
	n int
}

func (c *counter) Event(runtime.Object, string, string, string) { c.n++ }

// events syncs four times without a change and counts the events of the last.
func events(t *testing.T) string {
	c, seen := dual(), &counter{}
	client := newRecorder()
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), c.nodes())
	r := endpointslice.NewReconciler(client, nodeLister{nodes: c.Nodes}, 100, util.NewEndpointSliceTracker(), topology, seen, service.KubernetesManager)
	for range 4 {
		client.writes, seen.n = nil, 0
		if err := r.Reconcile(logr.Discard(), c.Service, c.Pods, copies(c.Slices), c.Trigger); err != nil {
			t.Fatal(err)
		}
		c.Slices = After(c.Slices, client.writes)
	}
	if seen.n > 0 {
		return fmt.Sprintf("%d events, although nothing changed", seen.n)
	}
	return ""
}

// changed plans twice without a change and counts the decisions that are worth an event.
func changed(t *testing.T) string {
	c := dual()
	if _, err := c.PublishAll(BySlicewright); err != nil {
		t.Fatal(err)
	}
	_, a, _ := Slicewright(c, nil)
	_, b, _ := Slicewright(c, nil)
	for i := range a.Hints {
		if !b.Hints[i].Same(a.Hints[i]) {
			return "an event, although nothing changed"
		}
	}
	if len(a.Hints) != 2 || a.Hints[0].On == a.Hints[1].On {
		t.Fatal("one family should have hints")
	}
	return ""
}

// forgotten asks for the Services that need a sync after Nodes became good again.
func forgotten() string {
	h := zoned(4, 4).with(true, "aabb")
	bad := zoned(4, 4).Nodes
	delete(bad["node-b"].Labels, corev1.LabelTopologyZone)
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), (&Cluster{Nodes: bad}).nodes())
	h.ReferenceWith(topology)
	topology.SetNodes(logr.Discard(), (&Cluster{Nodes: h.Nodes}).nodes())
	if len(topology.GetOverloadedServices()) == 0 {
		return "no Service needs a sync, although hints are off and could be on"
	}
	return ""
}

func remembered(t *testing.T) string {
	h := zoned(4, 4).with(true, "aabb")
	good := hints.NodeWeights((&Cluster{Nodes: h.Nodes}).nodes(), hints.NodeOptions{})
	delete(h.Nodes["node-b"].Labels, corev1.LabelTopologyZone)
	_, decision, err := h.Slicewright()
	if err != nil || decision.On {
		t.Fatal(decision, err)
	}
	if !hints.NeedsSync(decision, hints.Options{Weights: good}) {
		return "no sync is needed, although hints are off and could be on"
	}
	return ""
}
