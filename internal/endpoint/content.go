package endpoint

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Identical reports whether two endpoints have one address each and equal content, apart from
// hints. Addresses are compared as text. This is the fast path for endpoints that did not change.
// Its result is right for any options.
func Identical(a, b *discoveryv1.Endpoint) bool {
	return len(a.Addresses) == 1 && len(b.Addresses) == 1 && a.Addresses[0] == b.Addresses[0] &&
		a.Hostname == nil && b.Hostname == nil &&
		SameReference(a.TargetRef, b.TargetRef) && SameConditions(&a.Conditions, &b.Conditions) &&
		sameText(a.NodeName, b.NodeName) && sameText(a.Zone, b.Zone)
}

// SameConditions reports whether two endpoints have the same conditions. nil differs from true and
// false.
func SameConditions(a, b *discoveryv1.EndpointConditions) bool {
	return sameBool(a.Ready, b.Ready) && sameBool(a.Serving, b.Serving) && sameBool(a.Terminating, b.Terminating)
}

// SameTexts reports whether two endpoints have the same Node, zone and hostname. nil and empty are
// equal.
func SameTexts(a, b *discoveryv1.Endpoint) bool {
	return sameText(a.NodeName, b.NodeName) && sameText(a.Zone, b.Zone) && sameText(a.Hostname, b.Hostname)
}

func sameBool(a, b *bool) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func sameText(a, b *string) bool { return a == b || Text(a) == Text(b) }

// SameReference reports whether two references point to the same target. The resourceVersion is
// ignored, because it says nothing about the target. nil equals only nil.
func SameReference(a, b *corev1.ObjectReference) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.UID == b.UID && a.Name == b.Name && a.Namespace == b.Namespace && a.Kind == b.Kind &&
		a.APIVersion == b.APIVersion && a.FieldPath == b.FieldPath
}

// SameAddressList reports whether two lists have the same addresses and the same first address. The
// order of the other addresses, their spelling and repetitions make no difference.
func SameAddressList(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return (a[0] == b[0] || Canonical(a[0]) == Canonical(b[0])) &&
		(len(a) == 1 && len(b) == 1 || slices.Equal(AddressSet(a), AddressSet(b)))
}

// SameHints reports whether two endpoints have the same hints, in any order. nil and empty are
// equal.
func SameHints(a, b *discoveryv1.EndpointHints) bool {
	x, y := HintsOf(a), HintsOf(b)
	return slices.Equal(x.ForZones, y.ForZones) && slices.Equal(x.ForNodes, y.ForNodes) || compareHints(a, b) == 0
}

// Text returns the string to which s points, or "" if s is nil.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// HintsOf returns the hints to which h points, or no hints if h is nil.
func HintsOf(h *discoveryv1.EndpointHints) discoveryv1.EndpointHints {
	if h == nil {
		return discoveryv1.EndpointHints{}
	}
	return *h
}

// Hints returns hints for these zones and Nodes, or nil if there are none.
func Hints(zones []discoveryv1.ForZone, nodes []discoveryv1.ForNode) *discoveryv1.EndpointHints {
	if len(zones)+len(nodes) == 0 {
		return nil
	}
	return &discoveryv1.EndpointHints{ForZones: zones, ForNodes: nodes}
}

// TargetOf returns the targetRef of an endpoint, or the zero value if it has none. It leaves out
// the resourceVersion, which says nothing about the target.
func TargetOf(e *discoveryv1.Endpoint) (target corev1.ObjectReference) {
	if e.TargetRef != nil {
		target = *e.TargetRef
		target.ResourceVersion = ""
	}
	return target
}

// OnlyIPv4 returns the address of an endpoint that has exactly one address, if this address is an
// IPv4 address in canonical spelling. Otherwise it returns 0.
func OnlyIPv4(e *discoveryv1.Endpoint) uint32 {
	if len(e.Addresses) != 1 {
		return 0
	}
	ip, _ := IPv4(e.Addresses[0])
	return ip
}

// ReservedLabels are labels that have a special meaning on a slice. They are not copied from a
// Service or an Endpoints object to a slice.
var ReservedLabels = [...]string{discoveryv1.LabelServiceName, discoveryv1.LabelManagedBy, corev1.IsHeadlessService}

// LabelImport is the label that names the ServiceImport of a slice whose endpoints are in another
// cluster (KEP-1645).
const LabelImport = "multicluster.kubernetes.io/service-name"
