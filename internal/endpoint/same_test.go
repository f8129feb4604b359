package endpoint

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestSameIdentity: which endpoints have one identity, and that their hashes are equal.
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
		var table Table
		table.Reset(0)
		a, b := &c[0], &c[1]
		x, y := OnlyIPv4(a), OnlyIPv4(b)
		if !SameIdentity(a, b) || !SameIdentity(b, a) {
			t.Errorf("%s: they are two endpoints", why)
		}
		if table.Addresses(x, a) != table.Addresses(y, b) || table.Endpoint(x, a) != table.Endpoint(y, b) {
			t.Errorf("%s: the hashes are not equal", why)
		}
	}
}

// TestSameIdentityTellsApart: each part of an endpoint that identifies it makes another endpoint
// and another hash, and other addresses make another hash of the addresses.
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
	var table Table
	table.Reset(0)
	for i := range all {
		for j := range all[:i] {
			a, b := &all[i], &all[j]
			if SameIdentity(a, b) || SameIdentity(b, a) {
				t.Errorf("%+v and %+v are one endpoint", a, b)
			}
			x, y := OnlyIPv4(a), OnlyIPv4(b)
			if table.Endpoint(x, a) == table.Endpoint(y, b) {
				t.Errorf("one hash for %+v and %+v", a, b)
			}
			if same := slices.Equal(a.Addresses,
				b.Addresses); (table.Addresses(x, a) == table.Addresses(y, b)) != same {
				t.Errorf("equal addresses: %v, and not so their hashes, for %+v and %+v", same, a, b)
			}
		}
	}
}

// TestHashesSpread: addresses at equal distances fill a table evenly, so that a search takes few
// steps.
func TestHashesSpread(t *testing.T) {
	const n, places = 10000, 1 << 14
	for range 10 {
		var table Table
		table.Reset(0)
		for _, apart := range []uint32{1, 3, 1 << 8, 3 << 8, 1 << 12, 3 << 10, 1 << 16} {
			taken := map[uint64]bool{}
			for i := range uint32(n) {
				taken[table.ip((i+1)*apart)%places] = true
			}
			if len(taken) < 7000 { // at random about 7500
				t.Errorf("%x apart, %d hashes fall on %d of %d places", apart, n, len(taken), places)
			}
		}
	}
}
