package service

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// wantBackends derives what a Service wants to publish of n backends with these addresses.
func wantBackends(n int, address func(i int) string) *derivation {
	backends := make([]Backend, n)
	for i := range backends {
		backends[i].Address = address(i)
	}
	svc := &corev1.Service{}
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	d := newDerivation(svc, Options{}, &memory{})
	d.readBackends(backends)
	return d
}

// ascending are addresses in order.
func ascending(i int) string { return fmt.Sprintf("10.0.%d.%d", i/250, i%250) }

// TestFind: every wanted endpoint is found by its address. Few that are searched for among IPv4 addresses in order need no table.
func TestFind(t *testing.T) {
	const n = 320
	for _, row := range []struct {
		why     string
		address func(i int) string
		spared  int // searches without the table
	}{
		{"in order", ascending, n / 32},
		{"in order, except the first one", func(i int) string { return ascending((i + n - 1) % n) }, 0},
		{"IPv6", func(i int) string { return fmt.Sprintf("fd00::%x", i+1) }, 0},
	} {
		d := wantBackends(n, row.address)
		for i := range int32(n) {
			address := d.address(&d.wanted[i])
			ip, _ := endpoint.IPv4(address)
			if found := d.find(ip, address); found != i {
				t.Fatalf("%s: %s: %d is found, want %d", row.why, address, found, i)
			}
			if want := int(i) >= row.spared; d.indexed != want {
				t.Fatalf("%s: after %d searches the table is filled: %v, want %v", row.why, i+1, d.indexed, want)
			}
		}
		d = wantBackends(n, row.address)
		for _, address := range []string{"10.0.0.100", "10.0.0.255", "10.9.9.9", "fd00::ffff"} {
			ip, _ := endpoint.IPv4(address)
			if found := d.find(ip, address); found >= 0 && d.address(&d.wanted[found]) != address {
				t.Errorf("%s: %d is found for %s", row.why, found, address)
			}
		}
	}
}

// TestFindAmongMany: where the table is so large and full that addresses share what it keeps of their hashes, they are told apart.
func TestFindAmongMany(t *testing.T) {
	const n = 190_000
	d := wantBackends(n, func(i int) string { return fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255) })
	d.index()
	for i := range int32(n) {
		if found := d.find(d.wanted[i].ip, ""); found != i {
			t.Fatalf("%s: %d is found, want %d", d.address(&d.wanted[i]), found, i)
		}
	}
}

// TestHash: addresses have hashes of their own, whether they are numbers or texts.
func TestHash(t *testing.T) {
	d := wantBackends(0, ascending)
	d.index()
	seen := map[uint64]bool{d.hash(1, ""): true, d.hash(2, ""): true, d.hash(0, "fd00::1"): true, d.hash(0, "fd00::2"): true}
	if len(seen) != 4 {
		t.Errorf("%d hashes of 4 addresses", len(seen))
	}
}

// TestMatchInOrder: in a slice in the order of the wanted endpoints only those are searched for that do not follow the one
// before, with or without slices' endpoints in between that nobody wants.
func TestMatchInOrder(t *testing.T) {
	for why, row := range map[string]struct {
		have     []int // wanted endpoints that the slice has; -1: one that nobody wants
		searches int
	}{
		"all":                     {have: []int{0, 1, 2, 3}},
		"the first ones are new":  {have: []int{20, 21, 22}, searches: 1},
		"some in between are new": {have: []int{0, 1, 30, 31, 50, 51}, searches: 2},
		"some are gone":           {have: []int{0, 1, -1, 2, 3, -1, 4}, searches: 2},
	} {
		d := wantBackends(320, ascending)
		d.match(d.held(row.have), discoveryv1.AddressTypeIPv4)
		if d.searches != row.searches {
			t.Errorf("%s: %d searches, want %d", why, d.searches, row.searches)
		}
	}
}

// held are the endpoints of a slice that has these wanted ones; -1 is one that nobody wants.
func (d *derivation) held(wanted []int) []discoveryv1.Endpoint {
	var held []discoveryv1.Endpoint
	for _, i := range wanted {
		address := "10.9.9.9"
		if i >= 0 {
			address = d.address(&d.wanted[i])
		}
		held = append(held, discoveryv1.Endpoint{Addresses: []string{address}})
	}
	return held
}

// TestMatchPrefetches: a slice in the order of the wanted endpoints is not prefetched. A slice in another order is, except its
// first block where the slice before was in order.
func TestMatchPrefetches(t *testing.T) {
	const n = 2 * endpoint.PrefetchDistance
	d := wantBackends(3*n, ascending)
	var inOrder []int
	for i := range n {
		inOrder = append(inOrder, i)
	}
	reversed := slices.Clone(inOrder)
	slices.Reverse(reversed)
	var read [4]int
	for k, order := range [...][]int{inOrder, reversed, reversed, inOrder} {
		before := d.sink
		d.match(d.held(order), discoveryv1.AddressTypeIPv4)
		read[k] = d.sink - before
	}
	if read[0] != 0 || read[1] == 0 || read[2] <= read[1] || read[3] != read[2] {
		t.Errorf("prefetched of slices in order, not, not, and in order: %v", read)
	}
}
