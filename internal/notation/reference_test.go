package notation

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestReferenceIsTheCause: what differs in the targetRef alone is printed, where an endpoint changes because of it.
func TestReferenceIsTheCause(t *testing.T) {
	slice := func(api, path string) *discoveryv1.EndpointSlice {
		ref := &corev1.ObjectReference{Kind: "Pod", Name: "a", APIVersion: api, FieldPath: path}
		return &discoveryv1.EndpointSlice{Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}, TargetRef: ref}}}
	}
	have := Join(Changes(Write{Old: slice("", "spec"), New: slice("v1", ""), Changed: 1}))
	if want := "~10.0.0.1{ref-api=v1,-ref-path}"; have != want {
		t.Errorf("%s, want %s", have, want)
	}
	if have := Join(Changes(Write{Old: slice("v1", ""), New: slice("v1", "")})); have != "-" {
		t.Errorf("nothing changed, and %s is printed", have)
	}
}
