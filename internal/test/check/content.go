package check

import (
	"slices"
	"sort"

	discoveryv1 "k8s.io/api/discovery/v1"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/conditions"
)

// sameContent compares everything of an endpoint that counts, but its hints.
func sameContent(a, b *discoveryv1.Endpoint, explicit bool) bool {
	return sameAddresses(a.Addresses, b.Addresses) &&
		sameConditions(a.Conditions, b.Conditions, explicit) &&
		text(a.Hostname) == text(b.Hostname) && text(a.NodeName) == text(b.NodeName) && text(a.Zone) == text(b.Zone) &&
		sameTarget(a.TargetRef, b.TargetRef)
}

// sameAddresses: the first counts as such, all together as a set.
func sameAddresses(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return canonical(a[0]) == canonical(b[0]) && slices.Equal(canonicalSet(a), canonicalSet(b))
}

func sameConditions(a, b discoveryv1.EndpointConditions, explicit bool) bool {
	if !explicit {
		return conditions.Of(a) == conditions.Of(b)
	}
	same := func(x, y *bool) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) }
	return same(a.Ready, b.Ready) && same(a.Serving, b.Serving) && same(a.Terminating, b.Terminating)
}

func sameTarget(a, b *corev1.ObjectReference) bool {
	var x, y corev1.ObjectReference
	if a != nil {
		x = *a
	}
	if b != nil {
		y = *b
	}
	x.ResourceVersion, y.ResourceVersion = "", ""
	return x == y
}

func hintSet(h *discoveryv1.EndpointHints) []string {
	var set []string
	if h == nil {
		return nil
	}
	for _, z := range h.ForZones {
		set = append(set, "zone "+z.Name)
	}
	for _, n := range h.ForNodes {
		set = append(set, "node "+n.Name)
	}
	sort.Strings(set)
	return slices.Compact(set)
}

func sameHints(a, b *discoveryv1.EndpointHints) bool { return slices.Equal(hintSet(a), hintSet(b)) }

func ready(e *discoveryv1.Endpoint) bool { return conditions.Of(e.Conditions).Ready }
