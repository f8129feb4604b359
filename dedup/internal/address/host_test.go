package address

import (
	"bytes"
	"net/netip"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/endpoint"
	_ "github.com/slicewright/slicewright/internal/test/nightly" // properties fail soon
)

// texts are addresses in several spellings, and what is none.
var texts = []string{
	"10.0.0.1", "010.0.0.1", "0.0.0.0", "255.255.255.255", "::ffff:10.0.0.1", "::10.0.0.1", "::fffe:a00:1", "1::ffff:a00:1", "fd00::1", "FD00:0::1", "fd00::", "::", "0:0::0",
	"::1", "fe80::1%eth0", "", "10.0.0", "10.0.0.256", "db.example.com", "10.0.0.1.",
}

// TestRead compares what is read with what package netip makes of the text: the number, the family,
// the order and the spelling.
func TestRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		if rapid.Bool().Draw(t, "any address") {
			text = netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes"))).String()
		}
		f := rapid.SampledFrom([]Family{IPv4, IPv6, IPv4 | IPv6}).Draw(t, "family")
		addr, ok := endpoint.Addr(text)
		family := IPv6
		if addr.Is4() {
			family = IPv4
		}
		ok = ok && addr != netip.IPv6Unspecified() && f&family != 0
		h, got := Read(text, f)
		if got != ok {
			t.Fatalf("%q is an address of family %d: %v, want %v", text, f, got, ok)
		}
		if !ok {
			return
		}
		if h.Addr() != addr || h != Of(addr) || h.Family() != family || h.IsName() {
			t.Fatalf("%q is %v of family %d, want %v", text, h.Addr(), h.Family(), addr)
		}
		if o, ok := Read(rapid.SampledFrom(texts).Draw(t, "other"), IPv4|IPv6); ok {
			a, b := addr.As16(), o.Addr().As16()
			if h.Compare(o) != bytes.Compare(a[:], b[:]) {
				t.Fatalf("%v and %v are in the order %d", addr, o.Addr(), h.Compare(o))
			}
		}
	})
}

// TestNames: a name has no number, and is not empty without the dot at its end.
func TestNames(t *testing.T) {
	for text, want := range map[string]bool{
		"db.example.com": true, "db.example.com.": true, "10.0.0.1": true, "": false, ".": false,
	} {
		if h, ok := Read(text, FQDN); ok != want || !h.IsName() || h.Addr().IsValid() {
			t.Errorf("%q: %v, a name: %v", text, h, ok)
		}
	}
}

// TestFamilies: each address type has a family of its own, and no types mean the two of IPs.
func TestFamilies(t *testing.T) {
	for text, want := range map[string]Family{
		"": IPv4 | IPv6, "IPv4": IPv4, "IPv6": IPv6, "FQDN": FQDN, "IPv4 FQDN": IPv4 | FQDN, "IPv6 IPv4": IPv4 | IPv6,
	} {
		var types []discoveryv1.AddressType
		for _, word := range strings.Fields(text) {
			types = append(types, discoveryv1.AddressType(word))
			if f := FamilyOf(types[len(types)-1]); f&want == 0 {
				t.Errorf("%s is family %d", word, f)
			}
		}
		if got := Families(types); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if f := FamilyOf("ipv4"); f != 0 {
		t.Errorf("ipv4 is family %d", f)
	}
}
