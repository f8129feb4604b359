// Package gen draws inputs for tests and benchmarks, and holds the floor that benchmarks are measured against.
package gen

import (
	"fmt"
	"strings"
	"testing"
)

// Sizes are the endpoint counts that benchmarks run at.
var Sizes = []int{100, 1000, 10000, 100000}

// Address returns the i-th address of a cluster's Pod network, 10.0.0.1 for 0, different for each i below 16 million.
func Address(i int) string {
	i++
	return fmt.Sprintf("10.%d.%d.%d", i>>16&255, i>>8&255, i&255)
}

// Floor measures the least that any planner could do with n endpoints: put their address strings into a map, and look
// each up once by a separately built copy. Ratios to it within one run are what counts.
func Floor(b *testing.B, n int) {
	b.Helper()
	wanted, existing := make([]string, n), make([]string, n)
	for i := range n {
		wanted[i] = Address(i)
		existing[i] = strings.Clone(wanted[i])
	}
	b.ReportAllocs()
	for b.Loop() {
		index := make(map[string]int32, n)
		for i, a := range wanted {
			index[a] = int32(i)
		}
		found := 0
		for _, a := range existing {
			if _, ok := index[a]; ok {
				found++
			}
		}
		if found != n {
			b.Fatalf("found %d of %d", found, n)
		}
	}
	PerEndpoint(b, n)
}

// PerEndpoint reports ns/endpoint for a benchmark whose every operation handles n endpoints.
func PerEndpoint(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/endpoint")
}
