package endpoint_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// TestCompareAddressesOfEndpoints holds CompareIdentity and CompareContent against Key and Compare, for
// all pairs of addresses that differ in one thing, ordered from the least.
func TestCompareAddressesOfEndpoints(t *testing.T) {
	name := "a"
	ref := func(r corev1.ObjectReference) *corev1.ObjectReference { return &r }
	identities := []corev1.EndpointAddress{
		{}, {TargetRef: ref(corev1.ObjectReference{})}, {TargetRef: ref(corev1.ObjectReference{Name: "a"})},
		{TargetRef: ref(corev1.ObjectReference{Namespace: "a"})}, {TargetRef: ref(corev1.ObjectReference{Kind: "Pod"})}, {Hostname: "a"},
	}
	contents := []corev1.EndpointAddress{
		{TargetRef: ref(corev1.ObjectReference{})}, {TargetRef: ref(corev1.ObjectReference{ResourceVersion: "1"})},
		{TargetRef: ref(corev1.ObjectReference{FieldPath: "a"})}, {TargetRef: ref(corev1.ObjectReference{APIVersion: "v1"})},
		{TargetRef: ref(corev1.ObjectReference{UID: "1"})}, {NodeName: &name, TargetRef: ref(corev1.ObjectReference{})},
	}
	for i := range identities {
		for j := range identities {
			a, b := &identities[i], &identities[j]
			x, y := published(a), published(b)
			one := endpoint.KeyByAddress(endpoint.OnlyIPv4(x), x) == endpoint.KeyByAddress(endpoint.OnlyIPv4(y), y)
			if got := endpoint.CompareIdentity(a, b); sign(got) != sign(i-j) || (got == 0) != one || sign(got) != sign(endpoint.Compare(x, y)) {
				t.Errorf("identities %d and %d: got %d, endpoints %d", i, j, got, endpoint.Compare(x, y))
			}
			if got := endpoint.CompareContent(&contents[i], &contents[j]); sign(got) != sign(i-j) {
				t.Errorf("contents %d and %d: got %d", i, j, got)
			}
		}
	}
	if got := endpoint.CompareContent(&corev1.EndpointAddress{}, &corev1.EndpointAddress{}); got != 0 {
		t.Errorf("nothing differs: got %d", got)
	}
}

func published(a *corev1.EndpointAddress) *discoveryv1.Endpoint {
	return &discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, Hostname: &a.Hostname, NodeName: a.NodeName, TargetRef: a.TargetRef}
}

func sign(n int) int { return max(-1, min(1, n)) }
