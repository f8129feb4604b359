package mirror

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// compareIdentity orders addresses with the same IP; those that are one address to slicer are equal.
func compareIdentity(a, b *corev1.EndpointAddress) int {
	if d := strings.Compare(a.Hostname, b.Hostname); d != 0 {
		return d
	}
	x, y := a.TargetRef, b.TargetRef
	if x == nil || y == nil {
		return compareNil(x, y)
	}
	return cmp.Or(strings.Compare(x.Kind, y.Kind), strings.Compare(x.Namespace, y.Namespace), strings.Compare(x.Name, y.Name))
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

// compareNil puts nil first; two that are not nil are equal.
func compareNil[T any](a, b *T) int {
	switch {
	case (a == nil) == (b == nil):
		return 0
	case a == nil:
		return -1
	default:
		return 1
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
