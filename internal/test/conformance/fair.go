package conformance

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check/form"
	checkhints "github.com/slicewright/slicewright/internal/test/check/hints"
)

// threshold is Kubernetes' constant: an endpoint may get 20% more than its fair share of the traffic.
const threshold = 20

// zones are weights by zone.
type zones map[string]int64

func (z zones) total() int64 {
	var sum int64
	for _, weight := range z {
		sum += weight
	}
	return sum
}

// zonesOf adds up the CPU of Nodes, as the reference documents it. nil where one that counts lacks a zone or CPU, or
// where they are all in one zone.
func zonesOf(nodes map[string]*corev1.Node) zones {
	sum := zones{}
	for _, node := range nodes {
		_, control := node.Labels["node-role.kubernetes.io/control-plane"]
		if control || !nodeReady(node) {
			continue
		}
		zone, cpu := node.Labels[corev1.LabelTopologyZone], node.Status.Allocatable.Cpu().MilliValue()
		if zone == "" || cpu == 0 {
			return nil
		}
		sum[zone] += cpu
	}
	if len(sum) < 2 {
		return nil
	}
	return sum
}

func nodeReady(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// minimum is how many of n endpoints a zone needs, in whole numbers.
func (z zones) minimum(zone string, n int) int {
	return checkhints.Minimum(hints.Weights{Zones: z}, zone, n, threshold)
}

// floatMinimum is the same in floats, in the order of operations that the reference has.
func (z zones) floatMinimum(zone string, n int) int {
	overload := float64(threshold) / 100
	ratio := float64(z[zone]) / float64(z.total())
	desired := ratio * float64(n)
	return int(math.Ceil(desired * (1 / (1 + overload))))
}

// feasible reports whether n endpoints are enough for all minimums.
func (z zones) feasible(n int, minimum func(string, int) int) bool {
	sum := 0
	for zone := range z {
		sum += minimum(zone, n)
	}
	return len(z) > 1 && n >= len(z) && sum <= n
}

// hinted counts the ready endpoints of slices: all, those hinted to each zone, those hinted to another zone than their
// own, those without hints, and those without zone.
type hinted struct {
	ready, none, away, zoneless int
	zones                       map[string]int
}

func countHints(list []*discoveryv1.EndpointSlice) hinted {
	h := hinted{zones: map[string]int{}}
	for _, s := range list {
		for i := range s.Endpoints {
			if e := &s.Endpoints[i]; isReady(e) {
				h.count(e)
			}
		}
	}
	return h
}

func (h *hinted) count(e *discoveryv1.Endpoint) {
	h.ready++
	if form.Text(e.Zone) == "" {
		h.zoneless++
	}
	if e.Hints == nil || len(e.Hints.ForZones) == 0 {
		h.none++
		return
	}
	for _, z := range e.Hints.ForZones {
		h.zones[z.Name]++
	}
	if e.Hints.ForZones[0].Name != form.Text(e.Zone) {
		h.away++
	}
}

// on reports whether there are hints.
func (h *hinted) on() bool { return h.ready > h.none }

// compareHints: the same hints, except for topology mode Auto, where both are on or off and minimums are met.
func (x *comparison) compareHints() {
	if hints.ModeOf(x.c.Service) == hints.Proportional {
		for _, t := range []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6} {
			x.compareProportional(t)
		}
		return
	}
	ref := x.ref.hints()
	for place, ours := range x.ours.hints() {
		if hint, ok := ref[place]; ok && hint != ours {
			x.fault("hints of %s: the reference puts %q, slicewright %q", place, hint, ours)
		}
	}
	x.noHintsUnlessReady()
}

func (x *comparison) noHintsUnlessReady() {
	for _, s := range x.ours.after {
		if staleHints(s) {
			x.fault("%s has hints on endpoints that are not ready", s.Name)
		}
	}
}

func (x *comparison) compareProportional(t discoveryv1.AddressType) {
	ref, ours := countHints(only(x.ref.after, t)), countHints(only(x.ours.after, t))
	z := zonesOf(x.c.Nodes)
	fault := func(format string, args ...any) { x.fault(string(t)+": "+format, args...) }
	on, ok := z.judge(&ours, fault)
	if ok && ref.on() != on && x.c.Service.DeletionTimestamp != nil {
		x.used[FillTerminating] = true // other endpoints are published
	} else if ok && ref.on() != on {
		z.explain(on, &ref, x.used, fault)
	}
	x.noHintsUnlessReady()
}

// judge checks that hints are on exactly if they can be, and that every zone then has its minimum. It reports false if it makes no
// sense to compare them.
func (z zones) judge(ours *hinted, fault func(format string, args ...any)) (on, ok bool) {
	on = z.feasible(ours.ready, z.minimum) && ours.zoneless == 0
	if ours.on() != on {
		fault("hints should be on: %v, but are %v", on, ours.on())
		return on, false
	}
	if on && (ours.none > 0 || len(ours.zones) > len(z)) {
		fault("%d endpoints without hint, hints to %v", ours.none, ours.zones)
	}
	for zone := range z {
		if on && ours.zones[zone] < z.minimum(zone, ours.ready) {
			fault("zone %s has %d of %d", zone, ours.zones[zone], z.minimum(zone, ours.ready))
		}
	}
	return on, true
}

// explain finds the deviation by which hints of only one side are on.
func (z zones) explain(on bool, ref *hinted, used map[Deviation]bool, fault func(format string, args ...any)) {
	switch {
	case on && !z.feasible(ref.ready, z.floatMinimum):
		used[ExactHints] = true
	case !on && ref.zoneless > 0:
		used[ZonelessOff] = true
	default:
		fault("hints are on: the reference %v, slicewright %v", ref.on(), on)
	}
}

func only(list []*discoveryv1.EndpointSlice, t discoveryv1.AddressType) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(slices.Clone(list), func(s *discoveryv1.EndpointSlice) bool { return s.AddressType != t })
}
