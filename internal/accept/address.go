package accept

import (
	"net/netip"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// AddressFaults returns everything that the API server of Kubernetes 1.36 and later refuses if
// address i of an endpoint has this spelling. That API server accepts no leading zeros and, for
// IPv6, only the canonical form. An address of an unknown type is not checked.
func AddressFaults(list *field.Path, i int, text string, t discoveryv1.AddressType) (faults Faults) {
	switch t {
	case discoveryv1.AddressTypeFQDN:
		faults.List(validation.IsFullyQualifiedDomainName(list.Index(i), text))
		return faults
	case discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6:
	default:
		return nil
	}
	addr, err := netip.ParseAddr(text)
	switch {
	case err != nil || addr.Zone() != "" || addr.Is4In6():
		faults.Add(field.Invalid(list.Index(i), text,
			"is not an IP: give one without port, prefix length, zone and leading zeros"))
		return faults
	case t == discoveryv1.AddressTypeIPv6 && addr.String() != text:
		faults.Add(field.Invalid(list.Index(i), text, "is not the canonical form: write "+addr.String()))
		return faults
	case addr.Is4() != (t == discoveryv1.AddressTypeIPv4):
		faults.Add(field.Invalid(list.Index(i), text,
			"is not an "+string(t)+" address: put it into a slice of its own address type"))
	}
	if msg := unreachable(addr); msg != "" {
		faults.Add(field.Invalid(list.Index(i), text, msg))
	}
	return faults
}
