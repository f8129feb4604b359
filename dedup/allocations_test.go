//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations of pooled memory cannot be counted under it.

package dedup_test

import (
	"testing"

	"github.com/slicewright/slicewright/dedup"
)

// TestOnePortAllocates the result, and at most one thing more.
func TestOnePortAllocates(t *testing.T) {
	for name, list := range onePortLists() {
		if allocs := testing.AllocsPerRun(100, func() { dedup.OnePort(list, dedup.PortOptions{Port: "http"}) }); allocs > 2 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
