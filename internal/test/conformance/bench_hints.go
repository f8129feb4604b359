package conformance

import (
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"

	"github.com/slicewright/slicewright/hints"
)

// newHinting makes n endpoints without hints, in slices of 100 and in three zones of different size.
func newHinting(n int) *Hinting {
	h := &Hinting{Mode: hints.Proportional, Nodes: map[string]*corev1.Node{}}
	for i, zone := range []string{"a", "b", "c"} {
		node := NewNode("node-"+zone, zone, 4+i)
		h.Nodes[node.Name] = node
	}
	for i := range n {
		if i%100 == 0 {
			h.Slices = append(h.Slices, hints.Slice{Name: fmt.Sprintf("web-%05d", i/100), Written: true})
		}
		s := &h.Slices[len(h.Slices)-1]
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
			Addresses:  []string{fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255)},
			Conditions: discoveryv1.EndpointConditions{Ready: new(true)}, Zone: new(string(rune('a' + i%3))),
		})
	}
	return h
}

// HintRuns are one decision about topology mode Auto by the reference and by the library, where nothing has a hint yet, with the weights
// of the Nodes known, up to the API values of what changes.
func HintRuns(n int) []Run {
	h := newHinting(n)
	return []Run{{KubernetesSide, h.adder()}, {SlicewrightSide, h.assigner()}}
}

func (h *Hinting) assigner() func() {
	config := hints.Options{Mode: h.Mode, Weights: hints.NodeWeights((&Cluster{Nodes: h.Nodes}).nodes(), nil)}
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
