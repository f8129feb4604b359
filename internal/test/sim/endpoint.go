package sim

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	maxAddresses = 100
	maxHints     = 8
	maxTopology  = 16
)

// EndpointErrors lists what the API server refuses in an endpoint of a slice of this address
// type. The first path element below path tells the field.
func EndpointErrors(e discoveryv1.Endpoint, addressType discoveryv1.AddressType, path *field.Path) field.ErrorList {
	errs := AddressErrors(e.Addresses, addressType, path.Child("addresses"))
	errs = append(errs, HostnameErrors(e.Hostname, path.Child("hostname"))...)
	errs = append(errs, NodeNameErrors(e.NodeName, path.Child("nodeName"))...)
	errs = append(errs, HintErrors(e.Hints, path.Child("hints"))...)
	return append(errs, topologyErrors(e.DeprecatedTopology, path.Child("deprecatedTopology"))...)
}

// AddressErrors lists what is wrong with the addresses of one endpoint.
func AddressErrors(addresses []string, addressType discoveryv1.AddressType, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch {
	case len(addresses) == 0:
		errs = append(errs, field.Required(path, "at least one address"))
	case len(addresses) > maxAddresses:
		errs = append(errs, field.TooMany(path, len(addresses), maxAddresses))
	}
	for i, a := range addresses {
		errs = append(errs, addressErrors(a, addressType, path.Index(i))...)
	}
	return errs
}

func addressErrors(a string, addressType discoveryv1.AddressType, path *field.Path) field.ErrorList {
	if addressType == discoveryv1.AddressTypeFQDN {
		return validation.IsFullyQualifiedDomainName(path, a)
	}
	ip, ok := LenientIP(a)
	if !ok || ip.Is4() != (addressType == discoveryv1.AddressTypeIPv4) {
		return field.ErrorList{field.Invalid(path, a, "not of type "+string(addressType))}
	}
	if ip.IsUnspecified() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsLinkLocalMulticast() {
		return field.ErrorList{field.Invalid(path, a, "special address")}
	}
	return nil
}

// LenientIP reads an IP as the API server's older fields do: IPv4 numbers may have leading zeros,
// which count for nothing, and an IPv4 address in IPv6 clothes is an IPv4 address. Zones are
// refused.
func LenientIP(s string) (netip.Addr, bool) {
	if ip, err := netip.ParseAddr(s); err == nil {
		return ip.Unmap(), ip.Zone() == ""
	}
	parts := strings.Split(s, ".")
	if len(parts) != net.IPv4len {
		return netip.Addr{}, false
	}
	var bytes [net.IPv4len]byte
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || strings.Trim(part, "0123456789") != "" {
			return netip.Addr{}, false
		}
		bytes[i] = byte(n)
	}
	return netip.AddrFrom4(bytes), true
}

// HostnameErrors refuses what is no RFC 1123 label; nil passes.
func HostnameErrors(hostname *string, path *field.Path) field.ErrorList {
	if hostname == nil {
		return nil
	}
	return invalid(path, *hostname, validation.IsDNS1123Label(*hostname))
}

// NodeNameErrors refuses what is no name of a Node; nil passes.
func NodeNameErrors(name *string, path *field.Path) field.ErrorList {
	if name == nil {
		return nil
	}
	return invalid(path, *name, apivalidation.NameIsDNSSubdomain(*name, false))
}

// HintErrors refuses too many hints, hints twice, and names that no zone or Node can have; nil
// passes.
func HintErrors(h *discoveryv1.EndpointHints, path *field.Path) field.ErrorList {
	if h == nil {
		return nil
	}
	var errs field.ErrorList
	zones, nodes := path.Child("forZones"), path.Child("forNodes")
	if len(h.ForZones) > maxHints {
		errs = append(errs, field.TooMany(zones, len(h.ForZones), maxHints))
	}
	if len(h.ForNodes) > maxHints {
		errs = append(errs, field.TooMany(nodes, len(h.ForNodes), maxHints))
	}
	seen := map[string]bool{}
	for i, z := range h.ForZones {
		if seen[z.Name] {
			errs = append(errs, field.Duplicate(zones.Index(i), z.Name))
		}
		seen[z.Name] = true
		errs = append(errs, invalid(zones.Index(i), z.Name, validation.IsValidLabelValue(z.Name))...)
	}
	seen = map[string]bool{}
	for i, n := range h.ForNodes {
		if seen[n.Name] {
			errs = append(errs, field.Duplicate(nodes.Index(i), n.Name))
		}
		seen[n.Name] = true
		errs = append(errs, invalid(nodes.Index(i), n.Name, apivalidation.NameIsDNSSubdomain(n.Name, false))...)
	}
	return errs
}

func topologyErrors(topology map[string]string, path *field.Path) field.ErrorList {
	errs := metavalidation.ValidateLabels(topology, path)
	if len(topology) > maxTopology {
		errs = append(errs, field.TooMany(path, len(topology), maxTopology))
	}
	if _, ok := topology[corev1.LabelTopologyZone]; ok {
		errs = append(errs, field.Invalid(path, corev1.LabelTopologyZone, "has a field of its own"))
	}
	return errs
}

func invalid(path *field.Path, value string, messages []string) field.ErrorList {
	var errs field.ErrorList
	for _, m := range messages {
		errs = append(errs, field.Invalid(path, value, m))
	}
	return errs
}

// Canonical returns an IP in its canonical spelling, and a host name without the dot at its end.
func Canonical(address string) string {
	if ip, ok := LenientIP(address); ok {
		return ip.String()
	}
	return strings.TrimSuffix(address, ".")
}
