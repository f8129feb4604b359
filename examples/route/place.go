package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/examples/internal/manifest"
)

// knows reports whether a Node, an endpoint or a hint is of a zone. Of a zone that none is of, the name may be misspelt.
func knows(objects *manifest.Objects, zone string) bool {
	for _, n := range objects.Nodes {
		if n.Labels[corev1.LabelTopologyZone] == zone {
			return true
		}
	}
	for _, s := range objects.EndpointSlices {
		for _, e := range s.Endpoints {
			if e.Zone != nil && *e.Zone == zone || e.Hints != nil && slices.Contains(e.Hints.ForZones, discoveryv1.ForZone{Name: zone}) {
				return true
			}
		}
	}
	return false
}
