package hints_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkAssign measures the modes that decide over all endpoints: for endpoints that have no
// hints yet, and for endpoints that have them.
func BenchmarkAssign(b *testing.B) {
	_, _, nodes := gen.Pods(0, 1)
	weights := hints.NodeWeights(nodes, nil)
	for name, o := range map[string]hints.Options{
		"auto":  {Mode: hints.Auto, Weights: weights},
		"limit": {Mode: hints.PreferSameZone, Limit: 50, Weights: weights},
	} {
		for _, n := range []int{3, 100, 1000} {
			var endpoints []discoveryv1.Endpoint
			for _, s := range gen.Service(n).Existing {
				endpoints = append(endpoints, s.Endpoints...)
			}
			for _, hinted := range []string{"none", "all"} {
				var list []*discoveryv1.EndpointHints
				b.Run(fmt.Sprintf("mode=%s/endpoints=%d/hinted=%s", name, n, hinted), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						var err error
						if list, _, err = hints.Assign(o, endpoints); err != nil {
							b.Fatal(err)
						}
					}
				})
				for i := range list {
					endpoints[i].Hints = list[i]
				}
			}
		}
	}
}
