package endpoint

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestSameIdentity: which endpoints have one identity.
func TestSameIdentity(t *testing.T) {
	empty, ref := "", &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: "a"}
	same := *ref
	same.UID, same.ResourceVersion, same.APIVersion, same.FieldPath = "u", "7", "v1", "spec"
	for why, c := range map[string][2]discoveryv1.Endpoint{
		"same address":                      {{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"10.0.0.1"}}},
		"another spelling":                  {{Addresses: []string{"fd00::1"}}, {Addresses: []string{"FD00:0::1"}}},
		"an IPv4 address spelt otherwise":   {{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"010.0.0.1"}}},
		"an IPv4 address as IPv6":           {{Addresses: []string{"::ffff:10.0.0.1"}}, {Addresses: []string{"10.0.0.1"}}},
		"order and repetition do not count": {{Addresses: []string{"10.0.0.1", "10.0.0.2"}}, {Addresses: []string{"10.0.0.2", "10.0.0.1", "10.0.0.1"}}},
		"one address twice":                 {{Addresses: []string{"10.0.0.1", "10.0.0.1"}}, {Addresses: []string{"10.0.0.1"}}},
		"nil and empty hostname":            {{Addresses: []string{"10.0.0.1"}, Hostname: &empty}, {Addresses: []string{"10.0.0.1"}}},
		"one Pod":                           {{Addresses: []string{"10.0.0.1"}, TargetRef: ref}, {Addresses: []string{"10.0.0.1"}, TargetRef: &same}},
	} {
		a, b := &c[0], &c[1]
		if !SameIdentity(a, b) || !SameIdentity(b, a) {
			t.Errorf("%s: they are two endpoints", why)
		}
	}
}

// TestSameIdentityTellsApart: each part of an endpoint that identifies it makes another endpoint.
func TestSameIdentityTellsApart(t *testing.T) {
	host, other := "web-0", "web-1"
	ref := func(kind, namespace, name string) *corev1.ObjectReference {
		return &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name}
	}
	one := []string{"10.0.0.1"}
	all := []discoveryv1.Endpoint{
		{}, {Addresses: []string{""}}, {Addresses: one}, {Addresses: []string{"10.0.0.2"}}, {Addresses: []string{"0.0.0.0"}},
		{Addresses: []string{"fd00::1"}}, {Addresses: []string{"db.example.com"}},
		{Addresses: []string{"10.0.0.1", "10.0.0.2"}}, {Addresses: []string{"10.0.0.1", "10.0.0.3"}},
		{Addresses: []string{"a", "b"}}, {Addresses: []string{"ab"}}, {Addresses: []string{"\x01a\x01b"}},
		{Addresses: one, Hostname: &host}, {Addresses: one, Hostname: &other},
		{Addresses: one, TargetRef: ref("", "", "")},
		{Addresses: one, TargetRef: ref("Pod", "shop", "a")}, {Addresses: one, TargetRef: ref("Pod", "shop", "b")},
		{Addresses: one, TargetRef: ref("Pod", "bank", "a")}, {Addresses: one, TargetRef: ref("Node", "shop", "a")},
		{Addresses: one, TargetRef: ref("shop", "Pod", "a")},
		{Addresses: one, TargetRef: ref("Pod", "shop", "a"), Hostname: &host},
		{Addresses: []string{"10.0.0.2"}, TargetRef: ref("Pod", "shop", "a")},
	}
	for i := range all {
		for j := range all[:i] {
			a, b := &all[i], &all[j]
			if SameIdentity(a, b) || SameIdentity(b, a) {
				t.Errorf("%+v and %+v are one endpoint", a, b)
			}
		}
	}
}
