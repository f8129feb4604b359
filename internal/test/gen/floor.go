// Package gen draws inputs for tests and benchmarks.
package gen

import (
	"fmt"
	"testing"
)

// Sizes are the endpoint counts that benchmarks run at.
var Sizes = []int{100, 1000, 10000, 100000}

// Address returns the i-th address of a cluster's Pod network, 10.0.0.1 for 0, different for each i below 16 million.
func Address(i int) string {
	i++
	return fmt.Sprintf("10.%d.%d.%d", i>>16&255, i>>8&255, i&255)
}

// PerEndpoint reports ns/endpoint for a benchmark whose every operation handles n endpoints.
func PerEndpoint(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/endpoint")
}
