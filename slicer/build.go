package slicer

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// build fills in all of an object that is to be written but its name. It copies every leaf into arrays that the object
// has for itself, one for each kind (G8).
func (e *emission) build(object *discoveryv1.EndpointSlice, g int32, items []int32) {
	e.rules.meta.Apply(&object.ObjectMeta, e.triggers.of(items))
	object.Endpoints = make([]discoveryv1.Endpoint, len(items))
	if g == none {
		object.Ports = []discoveryv1.EndpointPort{}
		return
	}
	object.Ports = endpoint.APIPorts(e.wanted.groups[g].Ports)
	into := e.arrays(items)
	for n, i := range items {
		e.copyEndpoint(&object.Endpoints[n], i, into)
	}
}

// arrays are what an object's endpoints point into.
type arrays struct {
	bools   []bool
	strings []string
	targets []corev1.ObjectReference
	hints   []discoveryv1.EndpointHints
	zones   []discoveryv1.ForZone
	nodes   []discoveryv1.ForNode
}

// arrays returns arrays with room for all that the items' endpoints point to.
func (e *emission) arrays(items []int32) *arrays {
	var bools, texts, targets, hinted, zones, nodes int
	for _, i := range items {
		from := e.original(i)
		texts += len(from.Addresses) + 2
		if from.Hostname != nil {
			texts++
		}
		bools += 3
		if from.TargetRef != nil {
			targets++
		}
		if h := e.hintsOf(i); !h.none() {
			hinted++
			zones += len(h.given.ForZones) + 1
			nodes += len(h.given.ForNodes) + 1
		}
	}
	return &arrays{
		bools: make([]bool, 0, bools), strings: make([]string, 0, texts), targets: make([]corev1.ObjectReference, 0, targets),
		hints: make([]discoveryv1.EndpointHints, 0, hinted), zones: make([]discoveryv1.ForZone, 0, zones),
		nodes: make([]discoveryv1.ForNode, 0, nodes),
	}
}

func (l *arrays) bool(v *bool) *bool {
	if v == nil {
		return nil
	}
	l.bools = append(l.bools, *v)
	return &l.bools[len(l.bools)-1]
}

// text copies a text; the empty one is left out, since the API server refuses it.
func (l *arrays) text(v *string) *string {
	if v == nil || *v == "" {
		return nil
	}
	l.strings = append(l.strings, *v)
	return &l.strings[len(l.strings)-1]
}

// original is what to copy an item from: what its slice holds, if that is as good, because the copy's neighbours lie
// beside it there.
func (e *emission) original(item int32) *discoveryv1.Endpoint {
	if at := &e.homes.items[item]; at.exact {
		return at.previous
	}
	return e.wanted.items[item].Endpoint
}

func (e *emission) copyEndpoint(to *discoveryv1.Endpoint, item int32, l *arrays) {
	from := e.original(item)
	first := len(l.strings)
	if e.wanted.items[item].IP != 0 {
		l.strings = append(l.strings, from.Addresses[0])
	} else {
		for _, a := range from.Addresses {
			l.strings = append(l.strings, endpoint.Canonical(a))
		}
	}
	to.Addresses = l.strings[first:len(l.strings):len(l.strings)]
	to.Conditions.Ready = l.bool(from.Conditions.Ready)
	to.Conditions.Serving = l.bool(from.Conditions.Serving)
	to.Conditions.Terminating = l.bool(from.Conditions.Terminating)
	to.Hostname, to.NodeName, to.Zone = l.text(from.Hostname), l.text(from.NodeName), l.text(from.Zone)
	if from.TargetRef != nil {
		l.targets = append(l.targets, *from.TargetRef)
		to.TargetRef = &l.targets[len(l.targets)-1]
		to.TargetRef.ResourceVersion = ""
	}
	if h := e.hintsOf(item); !h.none() {
		to.Hints = l.copyHints(h)
	}
}

func (l *arrays) copyHints(h hintsOfItem) *discoveryv1.EndpointHints {
	zones, nodes := len(l.zones), len(l.nodes)
	l.zones = append(l.zones, h.given.ForZones...)
	l.nodes = append(l.nodes, h.given.ForNodes...)
	if h.own.Zone != "" {
		l.zones = append(l.zones, discoveryv1.ForZone{Name: h.own.Zone})
	}
	if h.own.Node != "" {
		l.nodes = append(l.nodes, discoveryv1.ForNode{Name: h.own.Node})
	}
	l.hints = append(l.hints, discoveryv1.EndpointHints{})
	to := &l.hints[len(l.hints)-1]
	if len(l.zones) > zones {
		to.ForZones = l.zones[zones:len(l.zones):len(l.zones)]
	}
	if len(l.nodes) > nodes {
		to.ForNodes = l.nodes[nodes:len(l.nodes):len(l.nodes)]
	}
	return to
}
