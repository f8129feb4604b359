package endpoint

import (
	"net/netip"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ why, in, want string }{
		{"canonical already", "10.0.0.1", "10.0.0.1"},
		{"leading zeros are decimal to the API server", "010.000.0.08", "10.0.0.8"},
		{"an octet of zeros only", "10.0.00.1", "10.0.0.1"},
		{"upper case and zeros", "FD00:0:0::0A", "fd00::a"},
		{"IPv4 in an IPv6 text", "::ffff:10.0.0.1", "10.0.0.1"},
		{"no IP", "db.example.com", "db.example.com"},
		{"octet too large", "10.0.0.256", "10.0.0.256"},
		{"too few octets", "10.0.1", "10.0.1"},
		{"too many octets", "10.0.0.1.2", "10.0.0.1.2"},
		{"empty octet", "10..0.1", "10..0.1"},
		{"a zone is no endpoint address", "fe80::1%eth0", "fe80::1%eth0"},
		{"empty", "", ""},
	} {
		if got := Canonical(c.in); got != c.want {
			t.Errorf("%s: Canonical(%q) = %q, want %q", c.why, c.in, got, c.want)
		}
	}
}

// TestIPv4 holds the parser against the standard library's, which takes the same dotted quads and more.
func TestIPv4(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([0-9.:]|25[0-9]|\.){0,17}|(0|1?[0-9]|[0-9]{1,3})(\.(0|1?[0-9]|[0-9]{1,3})){2,4}`).Draw(t, "text")
		addr, err := netip.ParseAddr(text)
		want := err == nil && addr.Is4() && addr.String() == text
		ip, ok := IPv4(text)
		if ok != want || !ok && ip != 0 || ok && addr != netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}) {
			t.Fatalf("IPv4(%q) = %x, %v; netip has %v, %v", text, ip, ok, addr, err)
		}
	})
}

func TestSameEndpoint(t *testing.T) {
	empty, host := "", "web-0"
	ref := func(kind, name string) *corev1.ObjectReference {
		return &corev1.ObjectReference{Kind: kind, Namespace: "ns", Name: name, UID: "u"}
	}
	for _, c := range []struct {
		why  string
		a, b discoveryv1.Endpoint
		want bool
	}{
		{"same address", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, true},
		{"another spelling", discoveryv1.Endpoint{Addresses: []string{"fd00::1"}}, discoveryv1.Endpoint{Addresses: []string{"FD00:0::1"}}, true},
		{"order and repetition do not count", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1", "10.0.0.2"}}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.2", "10.0.0.1", "10.0.0.1"}}, true},
		{"one address twice", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1", "10.0.0.1"}}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, true},
		{"one more address", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.2", "10.0.0.1"}}, false},
		{"nil and empty hostname", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, Hostname: &empty}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, true},
		{"hostname", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, Hostname: &host}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, false},
		{"two Pods on one host network", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Pod", "a")}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Pod", "b")}, false},
		{"kind", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Pod", "a")}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Node", "a")}, false},
		{"one Pod", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Pod", "a")}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Pod", "a")}, true},
		{"namespace", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "other", Name: "a"}}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Pod", "a")}, false},
		{"no targetRef", discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}, TargetRef: ref("Pod", "a")}, discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}}, false},
	} {
		if got := SameEndpoint(&c.a, &c.b); got != c.want {
			t.Errorf("%s: got %v", c.why, got)
		}
		if got := SameEndpoint(&c.b, &c.a); got != c.want {
			t.Errorf("%s, swapped: got %v", c.why, got)
		}
		h := NewHasher()
		if same := h.Endpoint(&c.a) == h.Endpoint(&c.b); same != c.want {
			t.Errorf("%s: hashes equal: %v", c.why, same)
		}
	}
}
