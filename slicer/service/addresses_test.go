package service

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// wantBackends derives what a Service wants to publish of n backends with these addresses.
func wantBackends(n int, address func(i int) string) *wanted {
	backends := make([]Backend, n)
	for i := range backends {
		backends[i].Address = address(i)
	}
	svc := &corev1.Service{}
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	return readBackends(rulesOf(svc, Options{}), backends, &memory{})
}

func finderOf(w *wanted) *addressFinder {
	f := &addressFinder{}
	f.begin(w)
	return f
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
		w := wantBackends(n, row.address)
		f := finderOf(w)
		for i := range int32(n) {
			address := w.address(i)
			ip, _ := endpoint.IPv4(address)
			if found := f.find(ip, address); found != i {
				t.Fatalf("%s: %s: %d is found, want %d", row.why, address, found, i)
			}
			if want := int(i) >= row.spared; f.indexed != want {
				t.Fatalf("%s: after %d searches the table is filled: %v, want %v", row.why, i+1, f.indexed, want)
			}
		}
		f = finderOf(w)
		for _, address := range []string{"10.0.0.100", "10.0.0.255", "10.9.9.9", "fd00::ffff"} {
			ip, _ := endpoint.IPv4(address)
			if found := f.find(ip, address); found >= 0 && w.address(found) != address {
				t.Errorf("%s: %d is found for %s", row.why, found, address)
			}
		}
	}
}

// TestFindAmongMany: where the table is so large and full that addresses share what it keeps of their hashes, they are told apart.
func TestFindAmongMany(t *testing.T) {
	const n = 190_000
	w := wantBackends(n, func(i int) string { return fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255) })
	f := finderOf(w)
	f.index()
	for i := range int32(n) {
		if found := f.find(w.endpoints[i].ip, ""); found != i {
			t.Fatalf("%s: %d is found, want %d", w.address(i), found, i)
		}
	}
}

// TestHash: addresses have hashes of their own, whether they are numbers or texts.
func TestHash(t *testing.T) {
	f := finderOf(wantBackends(0, ascending))
	f.index()
	seen := map[uint64]bool{f.hash(1, ""): true, f.hash(2, ""): true, f.hash(0, "fd00::1"): true, f.hash(0, "fd00::2"): true}
	if len(seen) != 4 {
		t.Errorf("%d hashes of 4 addresses", len(seen))
	}
}
