package endpoint

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// CompareIdentity orders addresses of Endpoints that have one IP as Compare orders endpoints: by hostname, then by target.
// Addresses that are equal become one endpoint: their Keys are equal.
func CompareIdentity(a, b *corev1.EndpointAddress) int {
	return cmp.Or(strings.Compare(a.Hostname, b.Hostname), compareTargets(a.TargetRef, b.TargetRef))
}

// CompareContent orders addresses of Endpoints that CompareIdentity finds equal by all else that is published.
func CompareContent(a, b *corev1.EndpointAddress) int {
	return cmp.Or(
		strings.Compare(Text(a.NodeName), Text(b.NodeName)), CompareReference(a.TargetRef, b.TargetRef),
		compareTargetVersions(a.TargetRef, b.TargetRef),
	)
}
