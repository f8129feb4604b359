package conformance

import (
	"fmt"
	"strings"

	"github.com/go-logr/logr"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"

	"github.com/slicewright/slicewright/hints"
)

// HintRuns are one decision about 100 endpoints in three zones of different size, of which none has a hint yet, by the reference
// and by the library, with the weights of the Nodes known, up to the API values of what changes.
func HintRuns() []Run {
	h := zoned(4, 5, 6).with(true, strings.Repeat("abc", 34)[:100])
	return []Run{{KubernetesSide, h.adder()}, {SlicewrightSide, h.assigner()}}
}

func (h *Hinting) assigner() func() {
	config := hints.Options{Mode: h.Mode, Weights: hints.NodeWeights((&Cluster{Nodes: h.Nodes}).nodes(), hints.NodeOptions{})}
	var last *discoveryv1.EndpointHints
	return func() {
		changes, decision, err := hints.Assign(config, h.Slices)
		if err != nil || !decision.On {
			panic(fmt.Sprint("hints should be on: ", decision, err))
		}
		for _, c := range changes {
			last = c.Hint.Endpoint()
		}
		_ = last
	}
}

// adder gives the reference the same objects each time. It changes them, to the same each time.
func (h *Hinting) adder() func() {
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), (&Cluster{Nodes: h.Nodes}).nodes())
	var update []*discoveryv1.EndpointSlice
	for i := range h.Slices {
		update = append(update, h.object(i))
	}
	return func() {
		si := &topologycache.SliceInfo{ServiceKey: "shop/web", AddressType: discoveryv1.AddressTypeIPv4, ToUpdate: update}
		topology.AddHints(logr.Discard(), si)
		if !topology.HasPopulatedHints(si.ServiceKey) {
			panic("hints should be on")
		}
	}
}
