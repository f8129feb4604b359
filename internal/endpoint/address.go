// Package endpoint says when two addresses, endpoints or port lists are the same, whatever their spelling and order.
package endpoint

import (
	"net/netip"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// IPv4 parses a dotted quad in its canonical spelling, without leading zeros; 0 and false for anything else. It is the
// fast path of Addr.
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
		if n != 0 && i < len(s) && s[i]-'0' <= 9 { // nothing follows a leading zero
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

// Addr parses an IP of any spelling that the API server takes for some address type: leading zeros in IPv4 count as
// decimal, also behind IPv6 groups, and an IPv4-mapped IPv6 text is the IPv4 address. Zones are not IPs of an EndpointSlice.
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

// AddressTypes are those that slices can have, in the order of plans.
var AddressTypes = [...]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN}

// Families are the address types of IPs, and so of Services and Endpoints, in the order of AddressTypes.
var Families = [...]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

// AddressType returns the type that an address is of: IPv4 or IPv6 for an IP of any spelling, FQDN for all else.
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

// Canonical returns the one spelling of an address: s itself where it is canonical already or no IP at all.
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
