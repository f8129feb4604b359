package slices

import (
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/check/form"
)

// sameContent compares everything of an endpoint that counts, but its hints.
func sameContent(a, b *discoveryv1.Endpoint, explicit bool) bool {
	return sameAddresses(a.Addresses, b.Addresses) &&
		sameConditions(a.Conditions, b.Conditions, explicit) &&
		form.Text(a.Hostname) == form.Text(b.Hostname) && form.Text(a.NodeName) == form.Text(b.NodeName) && form.Text(a.Zone) == form.Text(b.Zone) &&
		sameTarget(a.TargetRef, b.TargetRef)
}

// sameAddresses: the first counts as such, all together as a set.
func sameAddresses(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return form.Canonical(a[0]) == form.Canonical(b[0]) && slices.Equal(form.CanonicalSet(a), form.CanonicalSet(b))
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
	return set
}

func sameHints(a, b *discoveryv1.EndpointHints) bool { return slices.Equal(hintSet(a), hintSet(b)) }
