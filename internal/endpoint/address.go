// Package endpoint decides when two addresses, endpoints or port lists are the same, even if their
// spelling or order differs.
package endpoint

import (
	"net/netip"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// IPv4 parses an IPv4 address in its canonical spelling, without leading zeros. For any other text
// it returns 0 and false. It is the fast path of Addr.
func IPv4(s string) (uint32, bool) {
	var ip uint32
	i := 0
	for dots := 0; ; dots++ {
		if i == len(s) {
			return 0, false
		}
		n := uint32(s[i] - '0')
		if i++; n > 9 {
			return 0, false
		}
		if n != 0 && i < len(s) && s[i]-'0' <= 9 { // no digit may follow a leading zero
			n = 10*n + uint32(s[i]-'0')
			if i++; i < len(s) && s[i]-'0' <= 9 {
				n = 10*n + uint32(s[i]-'0')
				if i++; n > 255 {
					return 0, false
				}
			}
		}
		ip = ip<<8 | n
		switch {
		case dots == 3 && i == len(s):
			return ip, true
		case dots == 3 || i == len(s) || s[i] != '.':
			return 0, false
		}
		i++
	}
}

// Addr parses an IP in any spelling that the API server accepts for some address type. A number of
// an IPv4 address with leading zeros is read as decimal, also in an IPv4 address at the end of an
// IPv6 address. An IPv4-mapped IPv6 address is returned as the IPv4 address. A text with an IPv6
// zone is not an IP of an EndpointSlice.
func Addr(s string) (netip.Addr, bool) {
	ip, ok := IPv4(s)
	if i := strings.LastIndexByte(s, ':'); !ok && i >= 0 {
		if strings.IndexByte(s, '.') > i {
			s = s[:i+1] + withoutLeadingZeros(s[i+1:])
		}
		addr, err := netip.ParseAddr(s)
		return addr.Unmap(), err == nil && addr.Zone() == ""
	} else if !ok {
		ip, ok = IPv4(withoutLeadingZeros(s))
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), ok
}

func withoutLeadingZeros(s string) string {
	octets := strings.Split(s, ".")
	for i, o := range octets {
		if last := len(o) - 1; last > 0 {
			octets[i] = strings.TrimLeft(o[:last], "0") + o[last:]
		}
	}
	return strings.Join(octets, ".")
}

// AddressTypes are the address types that slices can have, in the order of plans.
var AddressTypes = [...]discoveryv1.AddressType{
	discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN,
}

// Families are the address types of IPs, in the order of AddressTypes. Services and Endpoints have
// only these types.
var Families = [...]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

// AddressType returns the type of an address: IPv4 or IPv6 for an IP in any spelling, FQDN for
// anything else.
func AddressType(s string) discoveryv1.AddressType {
	switch addr, ok := Addr(s); {
	case !ok:
		return discoveryv1.AddressTypeFQDN
	case addr.Is4():
		return discoveryv1.AddressTypeIPv4
	default:
		return discoveryv1.AddressTypeIPv6
	}
}

// Canonical returns the canonical spelling of an IP. It returns s itself if s is canonical already,
// or is not an IP.
func Canonical(s string) string {
	if _, ok := IPv4(s); ok {
		return s
	}
	if addr, ok := Addr(s); ok {
		var buf [64]byte
		if text := addr.AppendTo(buf[:0]); string(text) != s {
			return string(text)
		}
	}
	return s
}
