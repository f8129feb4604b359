package endpoint

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// The fields are compared one after the other: the address as a number, hostname, kind, namespace, name.
func TestCompareOrder(t *testing.T) {
	at := func(address, host, kind, namespace, name string) *discoveryv1.Endpoint {
		return &discoveryv1.Endpoint{Addresses: []string{address}, Hostname: &host, TargetRef: &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name}}
	}
	ordered := []*discoveryv1.Endpoint{
		{Addresses: []string{"010.0.0.1"}}, at("10.0.0.1", "", "a", "z", "z"), at("10.0.0.1", "", "b", "a", "z"), at("10.0.0.1", "", "b", "b", "a"),
		at("10.0.0.1", "", "b", "b", "b"), at("10.0.0.1", "h", "a", "a", "a"), at("010.0.0.2", "", "a", "a", "a"),
	}
	for i := range ordered[1:] {
		if d := Compare(ordered[i], ordered[i+1]); d >= 0 {
			t.Errorf("Compare(%v, %v) = %d", ordered[i], ordered[i+1], d)
		}
	}
}

// TestCompareTellsNilFromEmpty: endpoints that differ only in whether an empty text is nil have an order, the same from both sides.
func TestCompareTellsNilFromEmpty(t *testing.T) {
	empty, plain := "", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}
	for name, set := range map[string]func(e *discoveryv1.Endpoint){
		"hostname": func(e *discoveryv1.Endpoint) { e.Hostname = &empty },
		"node":     func(e *discoveryv1.Endpoint) { e.NodeName = &empty },
		"zone":     func(e *discoveryv1.Endpoint) { e.Zone = &empty },
		"hints":    func(e *discoveryv1.Endpoint) { e.Hints = &discoveryv1.EndpointHints{} },
	} {
		other := plain
		set(&other)
		if a, b := Compare(&plain, &other), Compare(&other, &plain); a != -1 || b != 1 {
			t.Errorf("%s: nil compares as %d with empty, and empty as %d with nil", name, a, b)
		}
	}
}
