package service

import (
	"fmt"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

func matcherOf(w *wanted) *matcher {
	m := &matcher{}
	m.begin(w)
	return m
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
		w := wantBackends(320, ascending)
		m := matcherOf(w)
		m.match(held(w, row.have), discoveryv1.AddressTypeIPv4)
		if m.addresses.searches != row.searches {
			t.Errorf("%s: %d searches, want %d", why, m.addresses.searches, row.searches)
		}
	}
}

// held are the endpoints of a slice that has these wanted ones; -1 is one that nobody wants.
func held(w *wanted, list []int) []discoveryv1.Endpoint {
	var held []discoveryv1.Endpoint
	for _, i := range list {
		address := "10.9.9.9"
		if i >= 0 {
			address = w.address(int32(i))
		}
		held = append(held, discoveryv1.Endpoint{Addresses: []string{address}})
	}
	return held
}

// TestMatchPrefetches: a slice in the order of the wanted endpoints is not prefetched. A slice in another order is, except its
// first block where the slice before was in order. One that goes on where an order ended is again in order for those after it.
func TestMatchPrefetches(t *testing.T) {
	const n = 2 * endpoint.PrefetchDistance
	w := wantBackends(3*n, ascending)
	m := matcherOf(w)
	m.addresses.index()
	inOrder := make([]int, 3*n)
	for i := range inOrder {
		inOrder[i] = i
	}
	reversed := slices.Clone(inOrder[:n])
	slices.Reverse(reversed)
	var read []int
	for _, order := range [][]int{inOrder[:n], reversed, reversed, inOrder[n : 2*n], inOrder[2*n:]} {
		before := m.sink
		m.match(held(w, order), discoveryv1.AddressTypeIPv4)
		read = append(read, m.sink-before)
	}
	if read[0] != 0 || read[1] == 0 || read[2] <= read[1] || read[3] == 0 || read[4] != 0 {
		t.Errorf("prefetched of slices in order, reversed, reversed, in order, and in order: %v", read)
	}
}

// TestMatchGivesUpOrder: after two endpoints that do not follow the one before, a slice is taken to be in another order, although
// the next ones follow the first.
func TestMatchGivesUpOrder(t *testing.T) {
	const n = 2 * endpoint.PrefetchDistance
	w := wantBackends(3*n, ascending)
	m := matcherOf(w)
	m.addresses.index()
	order := []int{n, 2 * n}
	for i := range n {
		order = append(order, n+1+i)
	}
	if m.match(held(w, order), discoveryv1.AddressTypeIPv4); m.sink == 0 {
		t.Error("nothing is prefetched")
	}
}

// TestMatchAmongMany: addresses that nobody wants are no wanted endpoints, also where they share what a large table keeps of hashes.
func TestMatchAmongMany(t *testing.T) {
	const n = 190_000
	m := matcherOf(wantBackends(n, func(i int) string { return fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255) }))
	m.addresses.index()
	unwanted := make([]discoveryv1.Endpoint, n)
	for i := range unwanted {
		unwanted[i].Addresses = []string{fmt.Sprintf("11.%d.%d.%d", i>>16, i>>8&255, i&255)}
	}
	for i, at := range m.match(unwanted, discoveryv1.AddressTypeIPv4) {
		if at.wanted != none {
			t.Fatalf("%s is wanted endpoint %d", unwanted[i].Addresses[0], at.wanted)
		}
	}
}
