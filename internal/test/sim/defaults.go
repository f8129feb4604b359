package sim

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Default changes the slice as the API server does before it validates (V1): a port without a name gets "", one without
// a protocol gets TCP. deprecatedTopology goes, because discovery.k8s.io/v1 does not take it. Lists that are empty are as unset,
// because protobuf, in which the API server stores objects, knows no difference.
func Default(slice *discoveryv1.EndpointSlice) {
	if len(slice.Endpoints) == 0 {
		slice.Endpoints = nil
	}
	if len(slice.Ports) == 0 {
		slice.Ports = nil
	}
	for i := range slice.Ports {
		p := &slice.Ports[i]
		if p.Name == nil {
			p.Name = new(string)
		}
		if p.Protocol == nil {
			tcp := corev1.ProtocolTCP
			p.Protocol = &tcp
		}
	}
	for i := range slice.Endpoints {
		slice.Endpoints[i].DeprecatedTopology = nil
	}
}
