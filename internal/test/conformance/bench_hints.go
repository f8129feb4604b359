package conformance

import (
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"

	"github.com/slicewright/slicewright/hints"
)

// HintCases are what is decided about topology mode Auto, over slices of 100 endpoints in three zones: hints are there
// and right; every tenth slice is written anyway; nothing has a hint yet.
var HintCases = []string{"noop", "roll", "first"}

// HintSizes are the numbers of endpoints.
var HintSizes = []int{100, 1000, 10000}

// NewHinting makes the input of a case, with zones of different size.
func NewHinting(kind string, n int) (*Hinting, error) {
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
	if kind == "first" {
		return h, nil
	}
	o, _, err := h.Slicewright()
	if err != nil {
		return nil, err
	}
	for i := range h.Slices {
		h.Slices[i].Endpoints = o.slices[i].Endpoints
		h.Slices[i].Written = kind == "roll" && i%10 == 0
	}
	return h, nil
}

// HintRuns are one decision of a case by the reference and by the library, with the weights of the Nodes known, up to the
// API values of what changes.
func HintRuns(kind string, n int) ([]Run, error) {
	h, err := NewHinting(kind, n)
	if err != nil {
		return nil, err
	}
	return []Run{{KubernetesSide, h.adder()}, {SlicewrightSide, h.assigner()}}, nil
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

// adder gives the reference the same objects each time. It changes those that are written, to the same each time.
func (h *Hinting) adder() func() {
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), (&Cluster{Nodes: h.Nodes}).nodes())
	var update, unchanged []*discoveryv1.EndpointSlice
	for i, s := range h.Slices {
		if s.Written {
			update = append(update, h.object(i))
		} else {
			unchanged = append(unchanged, h.object(i))
		}
	}
	lists := make([]*discoveryv1.EndpointSlice, len(unchanged))
	return func() {
		copy(lists, unchanged)
		si := &topologycache.SliceInfo{ServiceKey: "shop/web", AddressType: discoveryv1.AddressTypeIPv4, ToUpdate: update, Unchanged: lists}
		topology.AddHints(logr.Discard(), si)
		if !topology.HasPopulatedHints(si.ServiceKey) {
			panic("hints should be on")
		}
	}
}
