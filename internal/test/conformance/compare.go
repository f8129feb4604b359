package conformance

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/sim"
	"github.com/slicewright/slicewright/slicer"
)

// Compare gives a cluster to both sides and returns the deviations by which they differ. The error
// says what differs beyond.
func Compare(c *Cluster) ([]Deviation, error) {
	x := &comparison{c: c, used: map[Deviation]bool{}}
	x.run()
	if len(x.faults) > 0 {
		return nil, errors.Join(append(x.faults, errors.New(x.text()))...)
	}
	return slices.Sorted(maps.Keys(x.used)), nil
}

type comparison struct {
	c *Cluster
	// asked is the cluster as the reference is asked about it: without what would make the
	// endpoints differ.
	asked     *Cluster
	ref, ours *outcome
	// wanted is what the reference makes of it while the Service is not being deleted.
	wanted  *outcome
	plan    slicer.Plan
	missing error // what the reference said
	used    map[Deviation]bool
	faults  []error
}

func (x *comparison) fault(format string, args ...any) {
	x.faults = append(x.faults, fmt.Errorf(format, args...))
}

// text shows all that was compared.
func (x *comparison) text() string {
	text := fmt.Sprintf("existing, max %d:\n", x.c.Max)
	for _, s := range x.c.Slices {
		text += s.Name + " " + check.ShowSlice(s) + "\n"
	}
	if x.ref != nil {
		text += "the reference:\n" + Describe(x.ref.writes)
	}
	if x.ours != nil {
		text += "slicewright:\n" + Describe(x.ours.writes) + x.plan.String()
	}
	return text
}

func (x *comparison) run() {
	x.asked = x.withoutCauses()
	writes, missing := NewReference(x.asked).Plan(x.asked)
	x.ref, x.missing = outcomeOf(x.asked, writes), missing
	if x.wanted = x.ref; x.c.Service.DeletionTimestamp != nil {
		alive := x.asked.clone()
		alive.Service.DeletionTimestamp = nil
		writes, _ = NewReference(alive).Plan(alive)
		x.wanted = outcomeOf(alive, writes)
	}
	writes, plan, err := Slicewright(x.c)
	if err != nil {
		x.fault("slicewright: %w", err)
		return
	}
	x.ours, x.plan = outcomeOf(x.c, writes), plan
	x.compareErrors()
	if x.missing != nil && x.noNodes() && x.ours.count() > 0 {
		x.used[UnknownNodes] = true
		return
	}
	x.compareEndpoints()
	x.compareWrites()
	x.compareTriggers()
	x.compareHints()
}

// noNodes reports whether none of the Nodes that ready Pods name is known.
func (x *comparison) noNodes() bool {
	return !slices.ContainsFunc(x.c.selected(), func(p *corev1.Pod) bool {
		return !conditions.Finished(p) && conditions.FromPod(p, false).Ready && len(p.Status.PodIPs) > 0 &&
			x.c.Nodes[p.Spec.NodeName] != nil
	})
}

// withoutCauses is the cluster without Pods that only one side publishes: those that the API server
// would refuse. All conditions of endpoints are explicit: the reference writes a slice to replace
// nil by its default, and the library does not.
func (x *comparison) withoutCauses() *Cluster {
	asked := *x.c
	asked.Slices = nil
	for _, s := range x.c.Slices {
		s = s.DeepCopy()
		for i := range s.Endpoints {
			s.Endpoints[i].Conditions = conditions.Of(s.Endpoints[i].Conditions).API()
		}
		asked.Slices = append(asked.Slices, s)
	}
	asked.Pods = nil
	for _, pod := range x.c.Pods {
		switch {
		case len(pod.Status.PodIPs) == 0 && pod.Status.PodIP != "":
			continue // neither publishes it; the reference says so only of its Node
		case refused(pod):
			x.used[LeaveOut] = true
			continue
		}
		asked.Pods = append(asked.Pods, pod)
	}
	return &asked
}

// refused reports whether the API server would refuse an endpoint with one of the Pod's addresses
// or names.
func refused(pod *corev1.Pod) bool {
	errs := sim.NodeNameErrors(nonEmpty(pod.Spec.NodeName), field.NewPath("nodeName"))
	errs = append(errs, sim.HostnameErrors(nonEmpty(pod.Spec.Hostname), field.NewPath("hostname"))...)
	for _, ip := range pod.Status.PodIPs {
		t := discoveryv1.AddressTypeIPv4
		if a, ok := sim.LenientIP(ip.IP); ok && a.Is6() {
			t = discoveryv1.AddressTypeIPv6
		}
		errs = append(errs, sim.AddressErrors([]string{ip.IP}, t, field.NewPath("addresses"))...)
	}
	return len(errs) > 0
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// compareErrors: both say so when a Pod is left out because its Node is missing, and leave out the
// same Pods.
func (x *comparison) compareErrors() {
	notices := slices.Concat(x.plan.Warnings, x.plan.Normal)
	skipped := slices.ContainsFunc(notices, func(s slicer.Notice) bool {
		pod := slices.IndexFunc(x.c.Pods, func(p *corev1.Pod) bool {
			return p.Name == s.Object.Name && p.UID == s.Object.UID
		})
		return s.Reason == "NodeMissing" && !refused(x.c.Pods[pod])
	})
	if skipped != (x.missing != nil) {
		x.fault("Pods skipped for their Node: %v, but the reference says %v", skipped, x.missing)
	}
}

// compareEndpoints: both publish the same.
func (x *comparison) compareEndpoints() {
	if x.c.Service.DeletionTimestamp != nil {
		x.compareTerminating()
		return
	}
	for _, group := range groups(x.ref, x.ours) {
		if ref, ours := x.ref.endpoints[group], x.ours.endpoints[group]; !slices.Equal(ref, ours) {
			x.fault("%s: the reference publishes %q, slicewright %q", group, ref, ours)
		}
	}
}

// compareTerminating: nothing is created, so that some endpoints find no place. It is never more of
// them than in the reference, and what is published is what would be published otherwise.
func (x *comparison) compareTerminating() {
	for _, group := range groups(x.wanted, x.ours) {
		for _, e := range x.ours.endpoints[group] {
			if !slices.Contains(x.wanted.endpoints[group], e) {
				x.fault("%s: slicewright publishes %q, which is not wanted", group, e)
			}
		}
	}
	b := budgetOf(x.asked, x.wanted)
	ref, ours := x.ref.count(), x.ours.count()
	switch {
	case ours > ref:
		x.used[FillTerminating] = true
	case ours < ref && b[Oversize] > 0:
		x.used[Oversize] = true
	case ours < ref && b[StickyPorts] > 0: // published endpoints stay so; the reference publishes others
		x.used[StickyPorts] = true
	case ours < ref && recycles(x.plan): // the reference gives slices to lists of ports in any order
		x.used[RecycledFirst] = true
	case ours < ref:
		x.fault("the reference publishes %d endpoints, slicewright %d", ref, ours)
	}
}

// compareWrites: never more of them, and with as many not more slices left, unless a slice is
// recycled.
func (x *comparison) compareWrites() {
	b := budgetOf(x.asked, x.wanted)
	b.add(Minimums, x.opened())
	ref, ours := len(x.ref.writes), len(x.ours.writes)
	if ours > ref+b.writes() {
		x.fault("the reference writes %d, slicewright %d, of which deviations explain %v", ref, ours, b)
	}
	if ours > ref {
		for d := range b {
			x.used[d] = true
		}
	}
	if ref, ours := x.ref.rewritten(), x.ours.rewritten(); ours > ref && len(b) == 0 {
		if len(x.ours.of(slicer.Create)) >= len(x.ref.of(slicer.Create)) {
			x.fault("of the slices there are, the reference writes %d, slicewright %d", ref, ours)
		}
		x.used[RecycledFirst] = true
	}
	if ref, ours := len(x.ref.after), len(x.ours.after); ours > ref && len(x.ours.writes) == len(x.ref.writes) &&
		len(b) == 0 {
		if !recycles(x.plan) {
			x.fault("the reference leaves %d slices, slicewright %d with as many writes", ref, ours)
		}
		x.used[RecycledFirst] = true
	}
}

// recycles reports whether some slice that is updated gets other ports or keeps none of its
// endpoints. An address of another Pod is another endpoint.
func recycles(p slicer.Plan) bool {
	return slices.ContainsFunc(gen.Steps(p, slicer.Update), func(step slicer.Step) bool {
		return check.KeyOf(step.Old) != check.KeyOf(step.New) || !sharesEndpoint(step.Old, step.New)
	})
}

func sharesEndpoint(a, b *discoveryv1.EndpointSlice) bool {
	return slices.ContainsFunc(a.Endpoints, func(e discoveryv1.Endpoint) bool {
		return slices.ContainsFunc(b.Endpoints, func(other discoveryv1.Endpoint) bool {
			return slices.Equal(e.Addresses, other.Addresses) && reflect.DeepEqual(e.TargetRef, other.TargetRef)
		})
	})
}

// compareTriggers: what is written has one trigger time, whatever writes it. Labels, owners and
// names are those of the set, which the checks of package slicer judge.
func (x *comparison) compareTriggers() {
	times := map[string]bool{}
	for _, side := range []*outcome{x.ref, x.ours} {
		for _, s := range side.of(slicer.Create, slicer.Update) {
			times[s.Annotations[corev1.EndpointsLastChangeTriggerTime]] = true
		}
	}
	if len(times) > 1 {
		x.fault("the two write the trigger times %v", times)
	}
}

// opened is how many slices are written for hints that the reference may leave as they are.
func (x *comparison) opened() int {
	if hints.ModeOf(x.c.Service) != hints.Auto {
		return 0
	}
	n := 0
	for _, step := range gen.Steps(x.plan, slicer.Update) {
		if slices.Contains(step.Reasons, "HintsChanged") {
			n++
		}
	}
	return n
}
