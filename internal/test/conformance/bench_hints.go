package conformance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/bench"
)

// HintRuns returns one decision about topology mode Auto by the reference and then by the library,
// where no endpoint of a Service has a hint yet, with the weights of the Nodes known, up to the API
// values of what changes. The endpoints are spread evenly over three zones of different size.
func HintRuns(s *bench.Sync) []Run {
	nodes, list := slices.Collect(maps.Values(s.Nodes)), copies(s.Slices)
	for i, e := range bench.EndpointsOf(list) {
		e.Zone = new(string(rune('a' + i%3)))
	}
	return []Run{{KubernetesSide, adder(nodes, copies(list))}, {SlicewrightSide, assigner(nodes, list)}}
}

func assigner(nodes []*corev1.Node, list []*discoveryv1.EndpointSlice) func() {
	config := hints.Options{Mode: hints.Proportional, Weights: hints.NodeWeights(nodes, nil)}
	var in []hints.Slice
	for _, s := range list {
		in = append(in, hints.Slice{Name: s.Name, Endpoints: s.Endpoints, Written: true})
	}
	var last *discoveryv1.EndpointHints
	return func() {
		changes, decision, err := hints.Assign(config, in)
		if err != nil || !decision.On {
			panic(fmt.Sprint("hints should be on: ", decision, err))
		}
		for _, c := range changes {
			last = c.Hints
		}
		_ = last
	}
}

// adder gives the reference the same objects each time. It changes them, to the same each time.
func adder(nodes []*corev1.Node, update []*discoveryv1.EndpointSlice) func() {
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), nodes)
	return func() {
		si := &topologycache.SliceInfo{ServiceKey: "shop/web", AddressType: discoveryv1.AddressTypeIPv4,
			ToUpdate: update}
		topology.AddHints(logr.Discard(), si)
		if !topology.HasPopulatedHints(si.ServiceKey) {
			panic("hints should be on")
		}
	}
}
