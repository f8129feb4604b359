package endpoint

import (
	"hash/maphash"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

func keyOf(e *discoveryv1.Endpoint) Key { return KeyByAddress(OnlyIPv4(e), e) }

// TestKey: which endpoints are one by address, and that equal Keys have equal hashes.
func TestKey(t *testing.T) {
	empty, ref := "", &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: "a"}
	same := *ref
	same.UID, same.ResourceVersion, same.APIVersion, same.FieldPath = "u", "7", "v1", "spec"
	for why, c := range map[string][2]discoveryv1.Endpoint{
		"same address":                      {{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"10.0.0.1"}}},
		"another spelling":                  {{Addresses: []string{"fd00::1"}}, {Addresses: []string{"FD00:0::1"}}},
		"order and repetition do not count": {{Addresses: []string{"10.0.0.1", "10.0.0.2"}}, {Addresses: []string{"10.0.0.2", "10.0.0.1", "10.0.0.1"}}},
		"one address twice":                 {{Addresses: []string{"10.0.0.1", "10.0.0.1"}}, {Addresses: []string{"10.0.0.1"}}},
		"nil and empty hostname":            {{Addresses: []string{"10.0.0.1"}, Hostname: &empty}, {Addresses: []string{"10.0.0.1"}}},
		"one Pod":                           {{Addresses: []string{"10.0.0.1"}, TargetRef: ref}, {Addresses: []string{"10.0.0.1"}, TargetRef: &same}},
	} {
		a, b, seed := keyOf(&c[0]), keyOf(&c[1]), maphash.MakeSeed()
		if a != b || a.Hash(seed) != b.Hash(seed) {
			t.Errorf("%s: Keys %+v and %+v, hashes %x and %x", why, a, b, a.Hash(seed), b.Hash(seed))
		}
	}
}

// TestKeyTellsApart: each part of an endpoint that identifies it makes another Key and another hash.
func TestKeyTellsApart(t *testing.T) {
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
	keys, hashes, seed := map[Key]int{}, map[uint64]int{}, maphash.MakeSeed()
	for i := range all {
		key := keyOf(&all[i])
		if j, ok := keys[key]; ok {
			t.Errorf("one Key for %+v and %+v", all[j], all[i])
		}
		if j, ok := hashes[key.Hash(seed)]; ok {
			t.Errorf("one hash for %+v and %+v", all[j], all[i])
		}
		keys[key], hashes[key.Hash(seed)] = i, i
	}
}

// TestHashesSpread: addresses at equal distances fill a table evenly, so that a search takes few steps.
func TestHashesSpread(t *testing.T) {
	const n, places = 10000, 1 << 14
	for range 10 {
		seed := maphash.MakeSeed()
		for _, apart := range []uint32{1, 3, 1 << 8, 3 << 8, 1 << 12, 3 << 10, 1 << 16} {
			taken := map[uint64]bool{}
			for i := range uint32(n) {
				key := Key{ip: (i + 1) * apart}
				taken[key.Hash(seed)%places] = true
			}
			if len(taken) < 7000 { // at random about 7500
				t.Errorf("%x apart, %d hashes fall on %d of %d places", apart, n, len(taken), places)
			}
		}
	}
}
