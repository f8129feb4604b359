package slicer_test

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
)

// input is the toy world as an input for Compute.
func (w toyWorld) input() slicer.Input {
	in := slicer.Input{
		Set: slicer.Set{
			Namespace: "ns", Name: "web", ManagedBy: "test",
			AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4},
			Owners:       []metav1.OwnerReference{toyOwner("now")},
			Terminating:  w.terminating,
		},
		Options: slicer.Options{MaxEndpointsPerSlice: w.max},
	}
	if w.split {
		in.Options.SplitOversize = true
	}
	if w.never {
		in.Options.NoPlaceholder = true
	}
	for _, p := range w.wanted {
		in.Groups = append(in.Groups, slicer.Group{
			AddressType: discoveryv1.AddressTypeIPv4, Ports: toyPorts(p.port),
			Endpoints: []discoveryv1.Endpoint{toyEndpoint(p.endpoint, true)},
		})
	}
	for i, s := range w.slices {
		in.Existing = append(in.Existing, s.slice(i))
	}
	return in
}

func (s toySlice) slice(i int) *discoveryv1.EndpointSlice {
	o := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: toyPorts(s.port)}
	o.Namespace, o.Name, o.ResourceVersion = "ns", fmt.Sprintf("s%d", i), fmt.Sprint(s.version)
	o.Labels = map[string]string{discoveryv1.LabelManagedBy: "test", discoveryv1.LabelServiceName: "web"}
	o.OwnerReferences = []metav1.OwnerReference{toyOwner("now")}
	if !s.labels {
		o.Labels["old"] = "label"
	}
	if s.stale {
		o.OwnerReferences[0] = toyOwner("before")
	}
	for _, e := range s.held {
		ready := true
		for _, stained := range s.stained {
			ready = ready && stained != e
		}
		o.Endpoints = append(o.Endpoints, toyEndpoint(e, ready))
	}
	return o
}

func toyOwner(uid types.UID) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web", UID: uid}
}

// toyPorts is one port, or none for 0.
func toyPorts(port int) []discoveryv1.EndpointPort {
	if port == 0 {
		return nil
	}
	number, name := int32(port), "http"
	return []discoveryv1.EndpointPort{{Name: &name, Port: &number}}
}

func toyEndpoint(e int, ready bool) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses:  []string{fmt.Sprintf("10.0.%d.%d", (e+1)>>8, (e+1)&255)},
		Conditions: discoveryv1.EndpointConditions{Ready: &ready},
	}
}
