package slicer_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkCompute measures one plan, without the derivation of its Input.
func BenchmarkCompute(b *testing.B) {
	for _, pods := range []int{3, 100, 1000} {
		for change, replaced := range map[string]int{"nothing": 0, "one": 1, "quarter": (pods + 3) / 4} {
			b.Run(fmt.Sprintf("pods=%d/change=%s", pods, change), func(b *testing.B) {
				in := gen.Service(pods)
				for i := range replaced {
					e := &in.Groups[0].Endpoints[i*pods/replaced].API
					e.Addresses[0], e.TargetRef.UID = gen.Address(pods+i), "new"
				}
				b.ReportAllocs()
				for b.Loop() {
					if plan, err := in.Compute(); err != nil || (len(plan.Steps) == 0) != (replaced == 0) {
						b.Fatal(plan, err)
					}
				}
			})
		}
	}
}
