package endpoint

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// CompareIdentity orders addresses of Endpoints that have one IP as Compare orders endpoints: by hostname, then by target.
// Addresses that are equal become one endpoint: their Keys are equal.
func CompareIdentity(a, b *corev1.EndpointAddress) int {
	if d := strings.Compare(a.Hostname, b.Hostname); d != 0 {
		return d
	}
	return CompareTargets(a.TargetRef, b.TargetRef)
}

// CompareContent orders addresses of Endpoints that CompareIdentity finds equal by all else that is published.
func CompareContent(a, b *corev1.EndpointAddress) int {
	if d := strings.Compare(Text(a.NodeName), Text(b.NodeName)); d != 0 {
		return d
	}
	x, y := a.TargetRef, b.TargetRef
	if x == nil || y == nil {
		return 0 // both are nil, because the addresses are identical
	}
	return cmp.Or(compareReference(x, y), strings.Compare(x.ResourceVersion, y.ResourceVersion))
}
