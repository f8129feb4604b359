package conformance

import (
	"fmt"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"
	"k8s.io/endpointslice/trafficdist"

	"github.com/slicewright/slicewright/hints"
)

// Hinting is the part of a plan that decides hints, alone: slices that hold all they shall hold, and are written anyway
// or not.
type Hinting struct {
	Mode   hints.Mode // None, SameZone, SameNode or Proportional
	Nodes  map[string]*corev1.Node
	Slices []hints.Slice
}

// hintingOutcome is what one side makes of it.
type hintingOutcome struct {
	slices []*discoveryv1.EndpointSlice // in the order of Hinting.Slices
	opened int                          // slices that are not written anyway and now differ
	sent   int                          // slices that are not written anyway and now are
}

// Reference lets topologycache or trafficdist decide.
func (h *Hinting) Reference() *hintingOutcome {
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), (&Cluster{Nodes: h.Nodes}).nodes())
	si := &topologycache.SliceInfo{ServiceKey: namespace + "/" + serviceName, AddressType: discoveryv1.AddressTypeIPv4}
	for i := range h.Slices {
		if s := h.object(i); h.Slices[i].Written {
			si.ToUpdate = append(si.ToUpdate, s)
		} else {
			si.Unchanged = append(si.Unchanged, s)
		}
	}
	clean := slices.Clone(si.Unchanged)
	var update []*discoveryv1.EndpointSlice
	switch h.Mode {
	case hints.Proportional:
		_, update, _ = topology.AddHints(logr.Discard(), si)
	case hints.SameZone, hints.SameNode:
		wanted := corev1.ServiceTrafficDistributionPreferSameZone
		if h.Mode == hints.SameNode {
			wanted = corev1.ServiceTrafficDistributionPreferSameNode
		}
		_, update, _ = trafficdist.ReconcileHints(&wanted, nil, si.ToUpdate, si.Unchanged)
	default:
		_, update = topologycache.RemoveHintsFromSlices(si)
	}
	return h.outcome(clean, update)
}

// outcome finds the objects that are written by their names.
func (h *Hinting) outcome(clean, update []*discoveryv1.EndpointSlice) *hintingOutcome {
	now := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range slices.Concat(clean, update) {
		now[s.Name] = s
	}
	o := &hintingOutcome{}
	for i := range h.Slices {
		o.slices = append(o.slices, now[h.Slices[i].Name])
	}
	for _, s := range update {
		if i := h.index(s.Name); !h.Slices[i].Written {
			o.sent++
		}
	}
	o.count(h)
	return o
}

func (h *Hinting) index(name string) int {
	return slices.IndexFunc(h.Slices, func(s hints.Slice) bool { return s.Name == name })
}

// count counts what differs.
func (o *hintingOutcome) count(h *Hinting) {
	for i, s := range o.slices {
		if !h.Slices[i].Written && allHints(s) != allHints(h.object(i)) {
			o.opened++
		}
	}
}

func allHints(s *discoveryv1.EndpointSlice) string {
	all := ""
	for i := range s.Endpoints {
		all += hintsOf(&s.Endpoints[i]) + ";"
	}
	return all
}

// object is a slice on its own.
func (h *Hinting) object(i int) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Endpoints: h.Slices[i].Endpoints}
	s.Name = h.Slices[i].Name
	return s.DeepCopy()
}

// Slicewright lets hints decide.
func (h *Hinting) Slicewright() (*hintingOutcome, hints.Decision, error) {
	config := hints.Options{Mode: h.Mode}
	if h.Mode == hints.Proportional {
		config.Weights = hints.NodeWeights((&Cluster{Nodes: h.Nodes}).nodes(), nil)
	}
	changes, decision, err := hints.Assign(config, h.Slices)
	if err != nil {
		return nil, decision, err
	}
	o := &hintingOutcome{}
	for i := range h.Slices {
		o.slices = append(o.slices, h.object(i))
	}
	for _, c := range changes {
		o.slices[c.Slice].Endpoints[c.Endpoint].Hints = c.Hint.Endpoint()
	}
	o.count(h)
	o.sent = decision.Opened
	return o, decision, nil
}

var zoneNames = []string{"a", "b", "c", "d", "e", "f"}

// zoned makes Nodes with these cores in zones a, b, c and so on, and no slices.
func zoned(cores ...int) *Hinting {
	h := &Hinting{Mode: hints.Proportional, Nodes: map[string]*corev1.Node{}}
	for i, n := range cores {
		node := NewNode("node-"+zoneNames[i], zoneNames[i], n)
		h.Nodes[node.Name] = node
	}
	return h
}

// with adds a slice that has an endpoint in each zone of homes, a letter each.
func (h *Hinting) with(written bool, homes string) *Hinting {
	s := hints.Slice{Name: fmt.Sprintf("s%d", len(h.Slices)), Written: written}
	for i, zone := range homes {
		s.Endpoints = append(s.Endpoints, zoneEndpoint(len(h.Slices)*100+i, string(zone)))
	}
	h.Slices = append(h.Slices, s)
	return h
}

func zoneEndpoint(i int, zone string) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses: []string{fmt.Sprintf("10.0.0.%d", i+1)}, Zone: &zone, NodeName: new("node-" + zone),
		Conditions: discoveryv1.EndpointConditions{Ready: new(true)},
	}
}
