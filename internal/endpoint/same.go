package endpoint

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// SameByAddress reports whether two endpoints have the same identity: the same set of addresses in
// any spelling, the same hostname, and targets with the same kind, namespace and name. nil and
// empty hostnames are equal. An endpoint without a target differs from an endpoint with a target
// whose texts are empty.
func SameByAddress(a, b *discoveryv1.Endpoint) bool {
	if Text(a.Hostname) != Text(b.Hostname) || compareTargets(a.TargetRef, b.TargetRef) != 0 {
		return false
	}
	if len(a.Addresses) == 1 && len(b.Addresses) == 1 {
		return a.Addresses[0] == b.Addresses[0] || Canonical(a.Addresses[0]) == Canonical(b.Addresses[0])
	}
	return slices.Equal(AddressSet(a.Addresses), AddressSet(b.Addresses))
}

// AddressSet returns the canonical addresses, sorted, each once.
func AddressSet(addresses []string) []string {
	set := make([]string, len(addresses))
	for i, a := range addresses {
		set[i] = Canonical(a)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// Addresses returns the hash of an endpoint's addresses. Two endpoints for which SameByAddress is
// true have the same hash. ip is what OnlyIPv4 returns for the endpoint.
func (t *Table) Addresses(ip uint32, e *discoveryv1.Endpoint) (hash uint64) {
	if ip != 0 {
		return t.ip(ip)
	}
	set := e.Addresses
	if len(set) != 1 {
		set = AddressSet(set)
	}
	for _, a := range set {
		canonical := Canonical(a)
		if ip, ok := IPv4(canonical); ok {
			hash += t.ip(ip)
		} else {
			hash += t.Text(canonical)
		}
	}
	return hash
}

// Endpoint returns the hash of everything that SameByAddress compares. ip is what OnlyIPv4 returns
// for the endpoint.
func (t *Table) Endpoint(ip uint32, e *discoveryv1.Endpoint) uint64 {
	hash := mix(t.Addresses(ip, e), t.Text(Text(e.Hostname)))
	if ref := e.TargetRef; ref != nil {
		for _, text := range [...]string{ref.Name, ref.Namespace, ref.Kind} {
			hash = mix(hash, t.Text(text))
		}
	}
	return hash
}

// ServiceController is the managed-by value of slices that kube-controller-manager's own controller
// publishes.
const ServiceController = "endpointslice-controller.k8s.io"
