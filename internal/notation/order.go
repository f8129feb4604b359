package notation

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Canonical returns an IP in the one spelling in which it is compared: lower case, zeros compressed, and without the
// leading zeros that an IPv4 text may have. Any other text stays as it is.
func Canonical(address string) string {
	if a, err := netip.ParseAddr(address); err == nil {
		return a.String()
	}
	numbers := strings.Split(address, ".")
	if len(numbers) != 4 {
		return address
	}
	for i, n := range numbers {
		if numbers[i] = strings.TrimLeft(n, "0"); numbers[i] == "" && n != "" {
			numbers[i] = "0"
		}
	}
	if a, err := netip.ParseAddr(strings.Join(numbers, ".")); err == nil {
		return a.String()
	}
	return address
}

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
	x, errX := netip.ParseAddr(Canonical(a))
	y, errY := netip.ParseAddr(Canonical(b))
	switch {
	case errX == nil && errY == nil:
		return x.Compare(y)
	case errX == nil:
		return -1
	case errY == nil:
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
