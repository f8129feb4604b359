package notation

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Compare orders endpoints for a reader: by first address (IPs by value, before all other texts), then by the further
// addresses, hostname and targetRef.
func Compare(a, b *discoveryv1.Endpoint) int {
	return cmp.Or(
		slices.CompareFunc(a.Addresses, b.Addresses, compareAddresses),
		cmp.Compare(deref(a.Hostname), deref(b.Hostname)),
		cmp.Compare(deref(a.TargetRef).Kind, deref(b.TargetRef).Kind),
		cmp.Compare(deref(a.TargetRef).Namespace, deref(b.TargetRef).Namespace),
		cmp.Compare(deref(a.TargetRef).Name, deref(b.TargetRef).Name),
		cmp.Compare(Endpoint(a, ""), Endpoint(b, "")),
	)
}

func compareAddresses(a, b string) int {
	x, isX := endpoint.Addr(a)
	y, isY := endpoint.Addr(b)
	switch {
	case isX && isY:
		return x.Compare(y)
	case isX:
		return -1
	case isY:
		return 1
	}
	return cmp.Compare(a, b)
}

// Sorted returns the endpoints in the order of Compare. The input keeps its own.
func Sorted(list []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b discoveryv1.Endpoint) int { return Compare(&a, &b) })
	return out
}
