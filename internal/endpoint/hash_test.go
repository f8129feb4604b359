package endpoint

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestHashes holds the shortcuts of a Hasher to Endpoint, and every part of the identity to a hash of its own.
func TestHashes(t *testing.T) {
	host, other := "web-0", "web-1"
	ref := func(kind, namespace, name string) *corev1.ObjectReference {
		return &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name}
	}
	one := []string{"10.0.0.1"}
	all := []discoveryv1.Endpoint{
		{Addresses: one},
		{Addresses: []string{"10.0.0.2"}},
		{Addresses: []string{"fd00::1"}},
		{Addresses: []string{"db.example.com"}},
		{Addresses: []string{"10.0.0.1", "10.0.0.2"}},
		{Addresses: []string{"10.0.0.1", "10.0.0.3"}},
		{Addresses: one, Hostname: &host},
		{Addresses: one, Hostname: &other},
		{Addresses: one, TargetRef: ref("Pod", "shop", "a")},
		{Addresses: one, TargetRef: ref("Pod", "shop", "b")},
		{Addresses: one, TargetRef: ref("Pod", "bank", "a")},
		{Addresses: one, TargetRef: ref("Node", "shop", "a")},
		{Addresses: one, TargetRef: ref("Pod", "shop", "a"), Hostname: &host},
		{Addresses: []string{"10.0.0.2"}, TargetRef: ref("Pod", "shop", "a")},
	}
	h := NewHasher()
	seen := map[uint64]int{}
	for i := range all {
		e := &all[i]
		hash := h.Endpoint(e)
		if j, ok := seen[hash]; ok {
			t.Errorf("one hash for %+v and %+v", all[j], *e)
		}
		if seen[hash] = i; hash != h.Endpoint(e) {
			t.Errorf("two hashes for %+v", *e)
		}
		if h.AsSpelt(e) != hash {
			t.Errorf("AsSpelt differs for %+v", *e)
		}
		ip, ok := IPv4(e.Addresses[0])
		if !ok || len(e.Addresses) > 1 {
			continue
		}
		if h.At(ip, e) != hash {
			t.Errorf("At differs for %+v", *e)
		}
	}
	if a, b := h.Salt(1, 0), h.Salt(1, 1); a == b || a != h.Salt(1, 0) || a == h.Salt(2, 0) {
		t.Error("a salt does not tell groups apart")
	}
	if other := NewHasher(); other.String("x") == h.String("x") {
		t.Error("two hashers have one seed")
	}
}

// TestAddressesOnly shows that all but addresses is left out.
func TestAddressesOnly(t *testing.T) {
	host := "web-0"
	h := NewHasher()
	h.AddressesOnly = true
	plain := discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}
	full := plain
	full.Hostname, full.TargetRef = &host, &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "a"}
	ip, _ := IPv4("10.0.0.1")
	want := h.Endpoint(&plain)
	for name, got := range map[string]uint64{
		"Endpoint": h.Endpoint(&full), "AsSpelt": h.AsSpelt(&full), "At": h.At(ip, &full),
	} {
		if got != want {
			t.Errorf("%s looks at more than addresses", name)
		}
	}
	if h.Endpoint(&discoveryv1.Endpoint{Addresses: []string{"10.0.0.2"}}) == want {
		t.Error("addresses do not count")
	}
}
