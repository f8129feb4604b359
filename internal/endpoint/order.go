package endpoint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// Compare is the canonical order of endpoints. It compares first addresses as numbers, then the
// hostname, the target, further addresses, and the rest. The result is 0 only for endpoints that
// are equal in every field.
func Compare(a, b *discoveryv1.Endpoint) int {
	first := func(e *discoveryv1.Endpoint) []string { return e.Addresses[:min(1, len(e.Addresses))] }
	if d := slices.CompareFunc(first(a), first(b), CompareAddresses); d != 0 {
		return d
	}
	if d := strings.Compare(Text(a.Hostname), Text(b.Hostname)); d != 0 {
		return d
	}
	if d := CompareReference(a.TargetRef, b.TargetRef); d != 0 {
		return d
	}
	if d := cmp.Or(
		slices.CompareFunc(a.Addresses, b.Addresses, CompareAddresses),
		compareBool(a.Conditions.Ready, b.Conditions.Ready),
		compareBool(a.Conditions.Serving, b.Conditions.Serving),
		compareBool(a.Conditions.Terminating, b.Conditions.Terminating),
		strings.Compare(Text(a.NodeName), Text(b.NodeName)),
		strings.Compare(Text(a.Zone), Text(b.Zone)),
		compareHints(a.Hints, b.Hints),
		slices.Compare(a.Addresses, b.Addresses), // spelling
	); d != 0 {
		return d
	}
	return compareUncompared(a, b)
}

// ReadyFirst orders endpoints with the same identity, of which only the first one is published: it
// compares whether they are ready, and then as Compare does.
func ReadyFirst(a, b *discoveryv1.Endpoint) int {
	x, y := conditions.Of(a.Conditions), conditions.Of(b.Conditions)
	return cmp.Or(TrueFirst(x.Ready, y.Ready), Compare(a, b))
}

// compareUncompared orders endpoints by what does not count as content: the target's
// resourceVersion, the deprecated topology, the order of hints, and whether empty texts and empty
// hints are nil. It makes the order of Compare total.
func compareUncompared(a, b *discoveryv1.Endpoint) int {
	zones, nodes := HintNames(a.Hints)
	otherZones, otherNodes := HintNames(b.Hints)
	return cmp.Or(
		compareTargetVersions(a.TargetRef, b.TargetRef),
		strings.Compare(fmt.Sprintf("%q", a.DeprecatedTopology), fmt.Sprintf("%q", b.DeprecatedTopology)),
		slices.Compare(zones, otherZones), slices.Compare(nodes, otherNodes),
		TrueFirst(a.Hints == nil, b.Hints == nil), TrueFirst(a.Hostname == nil, b.Hostname == nil),
		TrueFirst(a.NodeName == nil, b.NodeName == nil), TrueFirst(a.Zone == nil, b.Zone == nil),
	)
}

// TrueFirst orders true before false.
func TrueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// CompareAddresses orders addresses: IPs as numbers, then other texts.
func CompareAddresses(a, b string) int {
	if x, ok := IPv4(a); ok {
		if y, ok := IPv4(b); ok {
			return cmp.Compare(x, y)
		}
	}
	x, xok := Addr(a)
	y, yok := Addr(b)
	if xok && yok {
		return x.Compare(y)
	}
	return cmp.Or(TrueFirst(xok, yok), strings.Compare(a, b))
}

// compareTargets orders targets by kind, namespace and name, which identify them. nil comes first.
func compareTargets(a, b *corev1.ObjectReference) int {
	if a == nil || b == nil {
		return TrueFirst(a == nil, b == nil)
	}
	return cmp.Or(
		strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name),
	)
}

// CompareReference orders targets by kind, namespace and name, and then by everything else except
// the resourceVersion. nil comes first.
func CompareReference(a, b *corev1.ObjectReference) int {
	if d := compareTargets(a, b); d != 0 || a == nil {
		return d
	}
	return cmp.Or(
		strings.Compare(string(a.UID), string(b.UID)), strings.Compare(a.APIVersion, b.APIVersion),
		strings.Compare(a.FieldPath, b.FieldPath),
	)
}

// compareTargetVersions orders equal targets by resourceVersion, compared as text.
func compareTargetVersions(a, b *corev1.ObjectReference) int {
	if a == nil || b == nil {
		return 0
	}
	return strings.Compare(a.ResourceVersion, b.ResourceVersion)
}

func compareBool(a, b *bool) int {
	if a == nil || b == nil {
		return TrueFirst(a == nil, b == nil)
	}
	return TrueFirst(*a, *b)
}

// compareHints orders hints. The order of the zones and Nodes in them makes no difference.
func compareHints(a, b *discoveryv1.EndpointHints) int {
	zones, nodes := HintNames(a)
	otherZones, otherNodes := HintNames(b)
	for _, names := range [][]string{zones, nodes, otherZones, otherNodes} {
		slices.Sort(names)
	}
	return cmp.Or(slices.Compare(zones, otherZones), slices.Compare(nodes, otherNodes))
}

// HintNames returns the names in hints, in their order.
func HintNames(h *discoveryv1.EndpointHints) (zones, nodes []string) {
	for _, z := range HintsOf(h).ForZones {
		zones = append(zones, z.Name)
	}
	for _, n := range HintsOf(h).ForNodes {
		nodes = append(nodes, n.Name)
	}
	return zones, nodes
}

// CompareIdentity orders EndpointAddresses with the same IP by hostname, then by target, as Compare
// does. EndpointAddresses that compare equal become one endpoint, because SameIdentity is true for
// them.
func CompareIdentity(a, b *corev1.EndpointAddress) int {
	return cmp.Or(strings.Compare(a.Hostname, b.Hostname), compareTargets(a.TargetRef, b.TargetRef))
}

// CompareContent orders EndpointAddresses for which CompareIdentity is 0. It compares everything
// else that is published.
func CompareContent(a, b *corev1.EndpointAddress) int {
	return cmp.Or(
		strings.Compare(Text(a.NodeName), Text(b.NodeName)), CompareReference(a.TargetRef, b.TargetRef),
		compareTargetVersions(a.TargetRef, b.TargetRef),
	)
}

// CompareVersions orders the resourceVersions of two objects of one API server. The result is
// negative if a is older. Numbers of any length are ordered by their values (KEP-5504). A text that
// is not a decimal number, such as the empty text, counts as older than any number. Two texts that
// are not numbers compare as equal.
func CompareVersions(a, b string) int {
	a, b = VersionNumber(a), VersionNumber(b)
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// VersionNumber returns a resourceVersion without leading zeros, or "" if it is not a decimal
// number.
func VersionNumber(version string) string {
	for i := range len(version) {
		if version[i]-'0' > 9 {
			return ""
		}
	}
	if number := strings.TrimLeft(version, "0"); number != "" || version == "" {
		return number
	}
	return "0"
}
