package endpoint

import (
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Identity is what makes two endpoints of one address type the same: the set of their addresses in
// any spelling, the hostname, and the kind, namespace and name of the target. nil and empty
// hostnames are equal. An endpoint without a target differs from an endpoint with a target whose
// texts are empty.
type Identity struct {
	addresses             string // the AddressSet, in one text
	hostname              string
	hasTarget             bool
	kind, namespace, name string
}

// IdentityOf returns the identity of an endpoint.
func IdentityOf(e *discoveryv1.Endpoint) Identity {
	id := Identity{hostname: Text(e.Hostname)}
	if len(e.Addresses) == 1 {
		id.addresses = Canonical(e.Addresses[0])
	} else if set := AddressSet(e.Addresses); len(set) == 1 {
		id.addresses = set[0]
	} else {
		id.addresses = "\x00" + strings.Join(set, "\x00")
	}
	if t := e.TargetRef; t != nil {
		id.hasTarget = true
		id.kind = t.Kind
		id.namespace = t.Namespace
		id.name = t.Name
	}
	return id
}

// SameIdentity reports whether two endpoints have the same identity.
func SameIdentity(a, b *discoveryv1.Endpoint) bool { return IdentityOf(a) == IdentityOf(b) }

// AddressSet returns the canonical addresses, sorted, each once.
func AddressSet(addresses []string) []string {
	set := make([]string, len(addresses))
	for i, a := range addresses {
		set[i] = Canonical(a)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// ServiceController is the managed-by value of slices that kube-controller-manager's own controller
// publishes.
const ServiceController = "endpointslice-controller.k8s.io"
