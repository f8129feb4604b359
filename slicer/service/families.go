package service

import (
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// familySet has families, by their position in endpoint.Families.
type familySet [len(endpoint.Families)]bool

// familyOf returns an address's position in endpoint.Families, -1 if it is no IP, and its canonical spelling.
func familyOf(address string) (family int, canonical string) {
	if _, ok := endpoint.IPv4(address); ok {
		return 0, address
	}
	if _, err := netip.ParseAddr(address); err != nil { // 010.0.0.1 is 8.0.0.1 to some and 10.0.0.1 to others
		return -1, ""
	}
	return slices.Index(endpoint.Families[:], endpoint.AddressType(address)), endpoint.Canonical(address)
}

// wants reports whether the Service has slices of this address type: by its ipFamilies; by its cluster IPs where an old
// API server left those unset; and where neither tells, as for a headless Service, both are wanted.
func wants(svc *corev1.Service, addressType discoveryv1.AddressType) bool {
	families := svc.Spec.IPFamilies
	if slices.Contains(families, corev1.IPFamily(addressType)) {
		return true
	}
	if slices.Contains(families, corev1.IPv4Protocol) || slices.Contains(families, corev1.IPv6Protocol) {
		return false
	}
	ofType := func(ip string) bool { return endpoint.AddressType(ip) == addressType }
	return !hasClusterIP(svc) || ofType(svc.Spec.ClusterIP) || slices.ContainsFunc(svc.Spec.ClusterIPs, ofType)
}
