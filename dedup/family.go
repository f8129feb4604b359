package dedup

import discoveryv1 "k8s.io/api/discovery/v1"

// family is a set of address types, of one or of several.
type family uint8

const (
	ipv4 family = 1 << iota
	ipv6
	fqdn
)

func familyOf(t discoveryv1.AddressType) (family, bool) {
	switch t {
	case discoveryv1.AddressTypeIPv4:
		return ipv4, true
	case discoveryv1.AddressTypeIPv6:
		return ipv6, true
	case discoveryv1.AddressTypeFQDN:
		return fqdn, true
	default:
		return 0, false
	}
}

func familiesOf(types []discoveryv1.AddressType) (all family) {
	if len(types) == 0 {
		return ipv4 | ipv6
	}
	for _, t := range types {
		f, _ := familyOf(t)
		all |= f
	}
	return all
}
