package endpoint

import (
	"net/netip"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestOctets tries every text of up to four bytes around the digits as each octet of an address,
// and between two digits of different octets.
func TestOctets(t *testing.T) {
	const alphabet = "/01259:."
	texts := []string{""}
	for begin, length := 0, 1; length <= 4; length++ {
		end := len(texts)
		for _, text := range texts[begin:end] {
			for _, c := range alphabet {
				texts = append(texts, text+string(c))
			}
		}
		begin = end
	}
	for _, text := range texts {
		for _, whole := range []string{
			text + ".2.3.4", "1.2." + text + ".4", "1.2.3." + text, "1.2" + text + "3.4", text,
		} {
			addr, err := netip.ParseAddr(whole)
			want := err == nil && addr.Is4()
			ip, ok := IPv4(whole)
			if ok != want || !ok && ip != 0 ||
				ok && addr != netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}) {
				t.Errorf("IPv4(%q) = %x, %v; netip has %v, %v", whole, ip, ok, addr, err)
			}
		}
	}
}

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
