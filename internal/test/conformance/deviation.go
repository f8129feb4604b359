package conformance

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/check"
)

// Deviation is a difference from the reference that is intended. The pages PROMISES.md of slicer
// and hints list them; the numbers are only names.
type Deviation string

// The deviations that two outcomes can differ by. The other differences in the pages never change
// an outcome: which of equal slices is written, the order of steps, what an update keeps, and what
// endpoints of Pods cannot cause.
const (
	// StickyPorts keeps endpoints in the slice that changes its ports, at the price of a slice
	// more.
	StickyPorts Deviation = "slicer 1"
	// RecycledFirst fills a slice that loses its endpoints before an unchanged one. That saves a
	// write, or it leaves a slice more for another list of ports to create.
	RecycledFirst Deviation = "slicer 4"
	// ReservedLabels are repaired.
	ReservedLabels Deviation = "slicer 8"
	// LeaveOut leaves out what the API server would refuse.
	LeaveOut Deviation = "slicer 9"
	// Oversize slices come down to the maximum when they are written.
	Oversize Deviation = "slicer 11"
	// StalePlaceholder is one of an earlier Service; it is replaced.
	StalePlaceholder Deviation = "slicer 12"
	// EmptySlice has ports but no endpoints, or no endpoints beside slices that have; it is re-used
	// or deleted.
	EmptySlice Deviation = "slicer 13"
	// StaleHints of endpoints that are not ready are removed.
	StaleHints Deviation = "slicer 14"
	// OwnerRepair puts the Service into owner references that lack it.
	OwnerRepair Deviation = "slicer 16"
	// FillTerminating fills every slice there is while the Service is being deleted.
	FillTerminating Deviation = "slicer 17"
	// UnknownNodes is a view in which no Node that ready Pods name is known. What is published
	// stays here, and goes there.
	UnknownNodes Deviation = "slicer, unknown Nodes"
	// ExactHints are on where floats say off.
	ExactHints Deviation = "hints 1"
	// Minimums are met, if that opens slices.
	Minimums Deviation = "hints 2"
	// ZonelessOff turns hints off for an endpoint without zone also in a slice that is not written.
	ZonelessOff Deviation = "hints 9"
)

// deviations are all of them but ZonelessOff, which explains fewer than one in 400 000 cases.
var deviations = []Deviation{StickyPorts, RecycledFirst, ReservedLabels, LeaveOut, Oversize, StalePlaceholder, EmptySlice,
	StaleHints, OwnerRepair, FillTerminating, UnknownNodes, ExactHints, Minimums}

// budget is how many writes more than the reference each deviation that a cluster gives cause for
// may cost.
type budget map[Deviation]int

func (b budget) add(d Deviation, writes int) {
	if writes > 0 {
		b[d] += writes
	}
}

// writes is the sum.
func (b budget) writes() int {
	sum := 0
	for _, n := range b {
		sum += n
	}
	return sum
}

// budgetOf looks for causes of deviations in what exists. after is what the reference makes of it.
func budgetOf(c *Cluster, after *outcome) budget {
	b := budget{}
	wanted := map[string]bool{} // lists of ports
	for group, list := range after.endpoints {
		wanted[group] = len(list) > 0
	}
	places := placesOf(after.after)
	mode := hints.ModeOf(c.Service)
	for _, s := range c.live() {
		_, headless := s.Labels[corev1.IsHeadlessService]
		switch {
		case !c.supports(s.AddressType):
			continue
		case staleOwner(s, c.Service):
			if len(s.Endpoints) == 0 {
				b.add(StalePlaceholder, 2)
			}
			continue
		}
		if headless != isHeadless(c.Service) {
			b.add(ReservedLabels, 1)
		}
		if !hasOwner(s, c.Service) {
			b.add(OwnerRepair, 1)
		}
		if n := len(s.Endpoints) - c.Max; n > 0 {
			b.add(Oversize, (n+c.Max-1)/c.Max)
		}
		if len(s.Endpoints) == 0 {
			b.add(EmptySlice, 1)
		}
		if mode != hints.None && staleHints(s) {
			b.add(StaleHints, 1)
		}
		if !wanted[check.KeyOf(s)] && holdsAny(s, places) {
			b.add(StickyPorts, 1)
		}
	}
	if c.Service.DeletionTimestamp != nil {
		b.add(FillTerminating, len(c.live()))
	}
	return b
}

// placesOf lists which endpoints slices hold, whatever their ports.
func placesOf(list []*discoveryv1.EndpointSlice) map[string]bool {
	places := map[string]bool{}
	for _, s := range list {
		for i := range s.Endpoints {
			places[anyPorts(s, &s.Endpoints[i])] = true
		}
	}
	return places
}

func holdsAny(s *discoveryv1.EndpointSlice, places map[string]bool) bool {
	for i := range s.Endpoints {
		if places[anyPorts(s, &s.Endpoints[i])] {
			return true
		}
	}
	return false
}

func staleHints(s *discoveryv1.EndpointSlice) bool {
	return slices.ContainsFunc(s.Endpoints, func(e discoveryv1.Endpoint) bool { return !isReady(&e) && e.Hints != nil })
}

func ownedBy(s *discoveryv1.EndpointSlice, svc *corev1.Service) bool {
	return slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool { return o.UID == svc.UID })
}

// hasOwner reports whether a slice has the reference just as a new one would.
func hasOwner(s *discoveryv1.EndpointSlice, svc *corev1.Service) bool {
	return slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.UID == svc.UID && isTrue(o.Controller, false) && isTrue(o.BlockOwnerDeletion, false)
	})
}

// staleOwner reports whether a slice belongs to an earlier Service of the same name.
func staleOwner(s *discoveryv1.EndpointSlice, svc *corev1.Service) bool {
	return !ownedBy(s, svc) && slices.ContainsFunc(s.OwnerReferences, func(o metav1.OwnerReference) bool {
		return o.Kind == "Service" && o.Name == svc.Name
	})
}

func isHeadless(svc *corev1.Service) bool {
	return svc.Spec.ClusterIP == "" || svc.Spec.ClusterIP == corev1.ClusterIPNone
}
