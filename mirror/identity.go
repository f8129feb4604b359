package mirror

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// compareIdentity orders addresses of one IP as endpoint.Compare does; those that are one address to slicer are equal.
func compareIdentity(a, b *corev1.EndpointAddress) int {
	if d := strings.Compare(a.Hostname, b.Hostname); d != 0 {
		return d
	}
	return endpoint.CompareTargets(a.TargetRef, b.TargetRef)
}

// compareContent orders addresses of one identity by all else that is published.
func compareContent(a, b *corev1.EndpointAddress) int {
	if d := strings.Compare(text(a.NodeName), text(b.NodeName)); d != 0 {
		return d
	}
	x, y := a.TargetRef, b.TargetRef
	if x == nil || y == nil {
		return 0 // equal by identity
	}
	return cmp.Or(
		strings.Compare(string(x.UID), string(y.UID)), strings.Compare(x.APIVersion, y.APIVersion),
		strings.Compare(x.FieldPath, y.FieldPath), strings.Compare(x.ResourceVersion, y.ResourceVersion),
	)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
