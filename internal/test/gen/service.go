// Package gen draws inputs for tests and benchmarks.
package gen

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
)

// perSlice is how many endpoints a slice of a built Service holds.
const perSlice = 100

// Service builds the input of a controller whose Service has n Pods and nothing to write: endpoints
// as the control plane derives them, and slices of 100 in the order of their creation. Wanted and
// existing share no memory, not even texts.
func Service(n int) Case {
	in := Case{Input: slicer.Input{
		Key: slicer.Key{Namespace: Namespace, Name: Name, ManagedBy: Manager},
		Meta: slicer.Meta{
			OwnerReferences: []metav1.OwnerReference{current},
			Labels:          map[string]string{"app.kubernetes.io/name": Name, "team": "edge"},
		},
		Groups: []slicer.Group{{AddressType: discoveryv1.AddressTypeIPv4, Ports: servicePorts(8080),
			Endpoints: Want(podEndpoints(0, n)...)}},
	}}
	for from := 0; from < n; from += perSlice {
		in.Existing = append(in.Existing, serviceSlice(from, min(from+perSlice, n)))
	}
	return in
}

// First takes the existing slices away.
func First(in Case) Case {
	in.Existing = nil
	return in
}

func servicePorts(number int32) []discoveryv1.EndpointPort {
	return []discoveryv1.EndpointPort{
		{Name: ptr("http"), Protocol: ptr(corev1.ProtocolTCP), Port: ptr(number)},
		{Name: ptr("metrics"), Protocol: ptr(corev1.ProtocolTCP), Port: ptr(int32(9100))},
	}
}

func serviceSlice(from, to int) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: servicePorts(8080),
		Endpoints: podEndpoints(from, to)}
	s.Namespace, s.GenerateName = Namespace, Name+"-"
	// Names are random in life: their order is not that of the creation.
	s.Name = fmt.Sprintf("%s-%05x", Name, uint32(from+1)*2654435761>>12)
	s.UID = types.UID(fmt.Sprintf("5f0c3b1e-0000-4000-8000-%012d", from))
	s.ResourceVersion, s.Generation = fmt.Sprint(1000+from), 1
	s.Labels = map[string]string{
		"app.kubernetes.io/name": Name, "team": "edge",
		discoveryv1.LabelServiceName: Name, discoveryv1.LabelManagedBy: Manager,
	}
	s.Annotations = map[string]string{corev1.EndpointsLastChangeTriggerTime: "2026-11-01T00:00:00Z"}
	s.OwnerReferences = []metav1.OwnerReference{current}
	return s
}

func podEndpoints(from, to int) []discoveryv1.Endpoint {
	endpoints := make([]discoveryv1.Endpoint, 0, to-from)
	for i := from; i < to; i++ {
		endpoints = append(endpoints, podEndpoint(i))
	}
	return endpoints
}

func podEndpoint(i int) discoveryv1.Endpoint {
	return discoveryv1.Endpoint{
		Addresses:  []string{Address(i)},
		Conditions: discoveryv1.EndpointConditions{Ready: ptr(true), Serving: ptr(true), Terminating: ptr(false)},
		NodeName:   ptr(fmt.Sprintf("node-%d", i%500)),
		Zone:       ptr(fmt.Sprintf("zone-%c", 'a'+i%3)),
		TargetRef: &corev1.ObjectReference{
			Kind: "Pod", Namespace: Namespace, Name: fmt.Sprintf("web-7d4b9c6f5d-%05d", i),
			UID: types.UID(fmt.Sprintf("0b5e7c3a-1111-4222-9333-%012d", i)),
		},
	}
}

// Address returns the i-th address of a cluster's Pod network, 10.0.0.1 for 0, different for each i
// below 16 million.
func Address(i int) string {
	i++
	return fmt.Sprintf("10.%d.%d.%d", i>>16&255, i>>8&255, i&255)
}
