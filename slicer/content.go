package slicer

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// sameContent reports whether a slice that holds one endpoint need not be written for the other, hints apart.
func (p *planner) sameContent(a, b *discoveryv1.Endpoint) bool {
	return p.sameConditions(&a.Conditions, &b.Conditions) &&
		text(a.NodeName) == text(b.NodeName) && text(a.Zone) == text(b.Zone) && text(a.Hostname) == text(b.Hostname) &&
		sameReference(a.TargetRef, b.TargetRef) && sameAddressContent(a.Addresses, b.Addresses)
}

// identical reports whether two endpoints of one address are equal to the letter, hints apart. It is the short way to
// learn that they are one endpoint with the same content, whatever the options.
func identical(a, b *discoveryv1.Endpoint) bool {
	return len(a.Addresses) == 1 && len(b.Addresses) == 1 && sameFirst(a.Addresses, b.Addresses) && identicalBut(a, b)
}

// identicalBut is identical but for the address.
func identicalBut(a, b *discoveryv1.Endpoint) bool {
	if a.Hostname != nil || b.Hostname != nil {
		return false
	}
	x, y := a.TargetRef, b.TargetRef
	if x == y {
	} else if x == nil || y == nil {
		return false
	} else if x.Name != y.Name || x.UID != y.UID || x.Namespace != y.Namespace || x.Kind != y.Kind ||
		x.APIVersion != y.APIVersion || x.FieldPath != y.FieldPath {
		return false
	}
	return sameBool(a.Conditions.Ready, b.Conditions.Ready) && sameBool(a.Conditions.Serving, b.Conditions.Serving) &&
		sameBool(a.Conditions.Terminating, b.Conditions.Terminating) &&
		sameText(a.NodeName, b.NodeName) && sameText(a.Zone, b.Zone)
}

// sameWanted reports whether two wanted endpoints of one identity are one.
func (p *planner) sameWanted(a, b *discoveryv1.Endpoint) bool {
	return p.sameContent(a, b) && (p.in.Options.Hints.Mode != hints.Given || sameHints(a.Hints, b.Hints))
}

func (p *planner) sameConditions(a, b *discoveryv1.EndpointConditions) bool {
	if p.in.Options.ExplicitConditions {
		return sameBool(a.Ready, b.Ready) && sameBool(a.Serving, b.Serving) && sameBool(a.Terminating, b.Terminating)
	}
	return conditions.Of(*a) == conditions.Of(*b)
}

func sameBool(a, b *bool) bool {
	if a == b {
		return true
	}
	return a != nil && b != nil && *a == *b
}

func sameText(a, b *string) bool { return a == b || text(a) == text(b) }

func sameFirst(a, b []string) bool { return &a[0] == &b[0] || a[0] == b[0] }

// sameReference ignores the resourceVersion, which says nothing about the target.
func sameReference(a, b *corev1.ObjectReference) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.UID == b.UID && a.Name == b.Name && a.Namespace == b.Namespace && a.Kind == b.Kind &&
		a.APIVersion == b.APIVersion && a.FieldPath == b.FieldPath
}

// sameAddressContent holds the first addresses against each other, and the rest as sets.
func sameAddressContent(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return endpoint.SameAddress(a[0], b[0]) && (len(a) == 1 && len(b) == 1 || endpoint.SameAddresses(a, b))
}

// sameHints reports whether two endpoints have the same hints in any order; nil and empty are equal.
func sameHints(a, b *discoveryv1.EndpointHints) bool {
	x, y := hintsOf(a), hintsOf(b)
	if len(x.ForZones) != len(y.ForZones) || len(x.ForNodes) != len(y.ForNodes) {
		return false
	}
	return slices.Equal(x.ForZones, y.ForZones) && slices.Equal(x.ForNodes, y.ForNodes) || compareHints(a, b) == 0
}

func hintsOf(h *discoveryv1.EndpointHints) discoveryv1.EndpointHints {
	if h == nil {
		return discoveryv1.EndpointHints{}
	}
	return *h
}

// compareEndpoints is the canonical order of endpoints, total over all that is content: first addresses as numbers,
// then hostname, target, further addresses, and the rest.
func compareEndpoints(a, b *discoveryv1.Endpoint) int {
	if d := compareFirst(a.Addresses, b.Addresses); d != 0 {
		return d
	}
	if d := cmp.Or(strings.Compare(text(a.Hostname), text(b.Hostname)), compareReference(a.TargetRef, b.TargetRef)); d != 0 {
		return d
	}
	return cmp.Or(
		slices.CompareFunc(a.Addresses, b.Addresses, compareAddress),
		compareBool(a.Conditions.Ready, b.Conditions.Ready),
		compareBool(a.Conditions.Serving, b.Conditions.Serving),
		compareBool(a.Conditions.Terminating, b.Conditions.Terminating),
		strings.Compare(text(a.NodeName), text(b.NodeName)),
		strings.Compare(text(a.Zone), text(b.Zone)),
		compareHints(a.Hints, b.Hints),
		slices.Compare(a.Addresses, b.Addresses), // spelling
		compareUncompared(a, b),
	)
}

// compareUncompared orders endpoints by what is no content, so that the order is total: the target's resourceVersion, the
// deprecated topology, and whether empty texts and empty hints are nil.
func compareUncompared(a, b *discoveryv1.Endpoint) int {
	if a.TargetRef != nil && b.TargetRef != nil && a.TargetRef.ResourceVersion != b.TargetRef.ResourceVersion {
		return strings.Compare(a.TargetRef.ResourceVersion, b.TargetRef.ResourceVersion)
	}
	if d := cmp.Compare(len(a.DeprecatedTopology), len(b.DeprecatedTopology)); d != 0 {
		return d
	}
	for _, k := range slices.Sorted(maps.Keys(a.DeprecatedTopology)) {
		if d := strings.Compare(a.DeprecatedTopology[k], b.DeprecatedTopology[k]); d != 0 {
			return d
		}
	}
	return cmp.Or(
		compareNil(a.Hints == nil, b.Hints == nil), compareNil(a.Hostname == nil, b.Hostname == nil),
		compareNil(a.NodeName == nil, b.NodeName == nil), compareNil(a.Zone == nil, b.Zone == nil),
	)
}

// compareNil orders nil before anything else.
func compareNil(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

func compareFirst(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(a), len(b))
	}
	return compareAddress(a[0], b[0])
}

func compareAddress(a, b string) int {
	if x, ok := endpoint.IPv4(a); ok {
		if y, ok := endpoint.IPv4(b); ok {
			return cmp.Compare(x, y)
		}
	}
	x, xok := endpoint.Addr(a)
	y, yok := endpoint.Addr(b)
	switch {
	case xok && yok:
		return x.Compare(y)
	case xok != yok:
		return map[bool]int{true: -1, false: 1}[xok]
	default:
		return strings.Compare(a, b)
	}
}

func compareReference(a, b *corev1.ObjectReference) int {
	if a == nil || b == nil {
		switch {
		case a == b:
			return 0
		case a == nil:
			return -1
		default:
			return 1
		}
	}
	return cmp.Or(
		strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name),
		strings.Compare(string(a.UID), string(b.UID)), strings.Compare(a.APIVersion, b.APIVersion),
		strings.Compare(a.FieldPath, b.FieldPath),
	)
}

func compareBool(a, b *bool) int {
	rank := func(v *bool) int {
		switch {
		case v == nil:
			return 0
		case *v:
			return 1
		default:
			return 2
		}
	}
	return cmp.Compare(rank(a), rank(b))
}

// compareHints orders hints whose lists may be in any order.
func compareHints(a, b *discoveryv1.EndpointHints) int {
	zones, nodes := hintNames(a)
	otherZones, otherNodes := hintNames(b)
	return cmp.Or(slices.Compare(zones, otherZones), slices.Compare(nodes, otherNodes))
}

func hintNames(h *discoveryv1.EndpointHints) (zones, nodes []string) {
	for _, z := range hintsOf(h).ForZones {
		zones = append(zones, z.Name)
	}
	for _, n := range hintsOf(h).ForNodes {
		nodes = append(nodes, n.Name)
	}
	slices.Sort(zones)
	slices.Sort(nodes)
	return zones, nodes
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
