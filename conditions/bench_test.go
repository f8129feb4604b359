package conditions_test

import (
	"testing"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/test/bench"
)

// BenchmarkFromPod measures what a writer does with all Pods of a Service.
func BenchmarkFromPod(b *testing.B) {
	bench.Cases{}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		return func(i int) {
			for _, pod := range all[i].Pods {
				if s := conditions.FromPod(pod, false); !s.Ready {
					b.Fatal(s)
				}
			}
		}
	})
}

// BenchmarkOf measures what a reader does with all endpoints of a Service.
func BenchmarkOf(b *testing.B) {
	bench.Cases{}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		return func(i int) {
			for _, slice := range all[i].Slices {
				for k := range slice.Endpoints {
					if s := conditions.Of(slice.Endpoints[k].Conditions); !s.Ready {
						b.Fatal(s)
					}
				}
			}
		}
	})
}
