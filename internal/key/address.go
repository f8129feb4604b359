// Package key says when two addresses, endpoints or port lists are the same, whatever their spelling and order.
package key

import (
	"net/netip"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// IPv4 parses a dotted quad in its canonical spelling, without leading zeros. It is the fast path of Addr.
func IPv4(s string) (uint32, bool) {
	var ip, octet, digits, dots uint32
	if len(s) > len("255.255.255.255") {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '.' {
			if digits == 0 || dots == 3 {
				return 0, false
			}
			ip, octet, digits, dots = ip<<8|octet, 0, 0, dots+1
			continue
		}
		d := uint32(c - '0')
		if d > 9 || (digits > 0 && octet == 0) {
			return 0, false
		}
		if octet = octet*10 + d; octet > 255 {
			return 0, false
		}
		digits++
	}
	return ip<<8 | octet, dots == 3 && digits > 0
}

// Addr parses an IP of any spelling that the API server takes for some address type: leading zeros in IPv4 count as
// decimal, and an IPv4-mapped IPv6 text is the IPv4 address. Zones are not IPs of an EndpointSlice.
func Addr(s string) (netip.Addr, bool) {
	if ip, ok := IPv4(s); ok {
		return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), true
	}
	if strings.IndexByte(s, ':') < 0 {
		ip, ok := IPv4(withoutLeadingZeros(s))
		return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), ok
	}
	addr, err := netip.ParseAddr(s)
	if err != nil || addr.Zone() != "" {
		return netip.Addr{}, false
	}
	return addr.Unmap(), true
}

func withoutLeadingZeros(s string) string {
	octets := strings.Split(s, ".")
	for i, o := range octets {
		if t := strings.TrimLeft(o, "0"); t != "" || o == "" {
			octets[i] = t
		} else {
			octets[i] = "0"
		}
	}
	return strings.Join(octets, ".")
}

// AddressType returns the type that an address is of: IPv4 or IPv6 for an IP of any spelling, FQDN for all else.
func AddressType(s string) discoveryv1.AddressType {
	if _, ok := IPv4(s); ok {
		return discoveryv1.AddressTypeIPv4
	}
	switch addr, ok := Addr(s); {
	case !ok:
		return discoveryv1.AddressTypeFQDN
	case addr.Is4():
		return discoveryv1.AddressTypeIPv4
	default:
		return discoveryv1.AddressTypeIPv6
	}
}

// Canonical returns the one spelling of an address: s itself where it is canonical already or no IP at all.
func Canonical(s string) string {
	if _, ok := IPv4(s); ok {
		return s
	}
	addr, ok := Addr(s)
	if !ok {
		return s
	}
	var buf [64]byte
	if text := addr.AppendTo(buf[:0]); string(text) != s {
		return string(text)
	}
	return s
}
