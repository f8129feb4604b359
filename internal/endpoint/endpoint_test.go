package endpoint

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

func TestAddrAndType(t *testing.T) {
	const v4, v6, fqdn = discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN
	for _, c := range []struct {
		in, want string // "" for no IP
		of       discoveryv1.AddressType
	}{
		{"10.0.0.1", "10.0.0.1", v4},
		{"1.2.3.4", "1.2.3.4", v4},
		{"010.0.0.1", "10.0.0.1", v4},
		{"1.02.3.4", "1.2.3.4", v4},
		{"::ffff:10.0.0.1", "10.0.0.1", v4},
		{"::ffff:010.0.0.01", "10.0.0.1", v4},
		{"64:ff9b::010.0.0.1", "64:ff9b::a00:1", v6},
		{"1.2::3", "", fqdn},
		{"FD00::01", "fd00::1", v6},
		{"fe80::1%eth0", "", fqdn},
		{"fd00::x", "", fqdn},
		{"10.0.0.256", "", fqdn},
		{"db.example.com", "", fqdn},
		{"", "", fqdn},
	} {
		addr, ok := Addr(c.in)
		if ok != (c.want != "") || ok && addr.String() != c.want {
			t.Errorf("Addr(%q) = %v, %v, want %q", c.in, addr, ok, c.want)
		}
		if of := AddressType(c.in); of != c.of {
			t.Errorf("AddressType(%q) = %s, want %s", c.in, of, c.of)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	for _, c := range []struct {
		why, older, newer string
	}{
		{"numbers, not texts", "9", "10"},
		{"digits decide between numbers of one length", "41", "42"},
		{"leading zeros do not count", "0009", "10"},
		{"longer than 64 bits", "99999999999999999999", "100000000000000000000"},
		{"no number is the oldest", "v99", "0"},
		{"a sign makes no number", "-5", "0"},
		{"a digit is not enough", "9x", "0"},
		{"empty is no number", "", "0"},
		{"zero is a number", "0", "1"},
		{"every digit is one", "8", "9"},
		{"what follows the digits is none", "1:", "0"},
		{"what precedes the digits is none", "1/", "0"},
	} {
		if CompareVersions(c.older, c.newer) >= 0 || CompareVersions(c.newer, c.older) <= 0 {
			t.Errorf("%s: %q is not older than %q", c.why, c.older, c.newer)
		}
	}
	for _, c := range [][2]string{{"x", ""}, {"010", "10"}, {"00", "0"}} { // no numbers, and two spellings of one
		if got := CompareVersions(c[0], c[1]); got != 0 {
			t.Errorf("%q and %q compare as %d", c[0], c[1], got)
		}
	}
}

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
