package conformance

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/hinting"
	"github.com/slicewright/slicewright/internal/test/check"
)

// threshold is Kubernetes' constant: an endpoint may get 20% more than its fair share of the
// traffic.
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

// zonesOf adds up the CPU of Nodes, as the reference documents it. nil where one that counts lacks
// a zone or CPU, or where they are all in one zone.
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
	return check.Minimum(hinting.Weights{Zones: z}, zone, n, threshold)
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

// hinted counts ready endpoints, all and those without zone, and says whether any of them has a
// zone hint.
type hinted struct {
	ready, zoneless int
	on              bool
}

func countHints(list []*discoveryv1.EndpointSlice, t discoveryv1.AddressType) (h hinted) {
	for _, s := range list {
		for i := range s.Endpoints {
			if e := &s.Endpoints[i]; s.AddressType == t && isReady(e) {
				h.ready++
				h.on = h.on || e.Hints != nil && len(e.Hints.ForZones) > 0
				if check.Text(e.Zone) == "" {
					h.zoneless++
				}
			}
		}
	}
	return h
}

// compareHints: the same hints, except for topology mode Auto, where both are on or off. What they
// are there, and that endpoints which are not ready have none, is for the checks of package hints
// to say.
func (x *comparison) compareHints() {
	if hints.ModeOf(x.c.Service) == hints.Auto {
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
}

func (x *comparison) compareProportional(t discoveryv1.AddressType) {
	ref := countHints(x.ref.after, t)
	ours := countHints(x.ours.after, t)
	z := zonesOf(x.c.Nodes)
	switch {
	case ref.on == ours.on:
	case x.c.Service.DeletionTimestamp != nil:
		x.used[FillTerminating] = true // other endpoints are published
	case ours.on && z.feasible(ours.ready, z.minimum) && !z.feasible(ref.ready, z.floatMinimum):
		x.used[ExactHints] = true
	case ref.on && ref.zoneless > 0:
		x.used[ZonelessOff] = true
	default:
		x.fault("%s: hints are on: the reference %v, slicewright %v", t, ref.on, ours.on)
	}
}
