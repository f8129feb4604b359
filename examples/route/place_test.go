package main

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// TestKnows: a zone is known by a Node, by an endpoint or by a hint, each of them alone, and by nothing else.
func TestKnows(t *testing.T) {
	zone := "z1"
	node := &corev1.Node{}
	node.Labels = map[string]string{corev1.LabelTopologyZone: zone}
	region := &corev1.Node{}
	region.Labels = map[string]string{corev1.LabelTopologyRegion: zone}
	slice := func(e discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{Endpoints: []discoveryv1.Endpoint{{}, e}}
	}
	hinted := func(name string) discoveryv1.Endpoint {
		return discoveryv1.Endpoint{Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "z0"}, {Name: name}}}}
	}
	for name, c := range map[string]struct {
		objects manifest.Objects
		knows   bool
	}{
		"nothing":          {manifest.Objects{}, false},
		"a Node":           {manifest.Objects{Nodes: []*corev1.Node{{}, node}}, true},
		"a region":         {manifest.Objects{Nodes: []*corev1.Node{region}}, false},
		"an endpoint":      {manifest.Objects{EndpointSlices: []*discoveryv1.EndpointSlice{slice(discoveryv1.Endpoint{Zone: &zone})}}, true},
		"a hint":           {manifest.Objects{EndpointSlices: []*discoveryv1.EndpointSlice{slice(hinted(zone))}}, true},
		"hints of another": {manifest.Objects{EndpointSlices: []*discoveryv1.EndpointSlice{slice(hinted("z2"))}}, false},
	} {
		if have := knows(&c.objects, zone); have != c.knows {
			t.Errorf("%s: known: %t", name, have)
		}
	}
}
