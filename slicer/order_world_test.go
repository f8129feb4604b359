package slicer_test

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// orderWorld draws a few Pods that are wanted on up to three of four port sets, and up to five slices that hold them on any
// of these, several times, with other conditions, and some with another Pod's address or UID.
func orderWorld(r *rand.Rand) given.World {
	in := given.World{}
	in.Set = slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "test", Terminating: r.IntN(12) == 0}
	in.Options = slicer.Options{MaxEndpointsPerSlice: 1 + r.IntN(4), ByTargetUID: r.IntN(3) > 0, SplitOversize: r.IntN(2) == 0}
	if r.IntN(3) == 0 {
		in.Options.Packing = slicer.Compact
	}
	uids := r.IntN(3) // 0: some Pods share one; 1: some have none; 2: each has its own
	var wanted []discoveryv1.Endpoint
	for range 1 + r.IntN(3) {
		g := slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: orderPorts(r)}
		for range r.IntN(6) {
			g.Endpoints = append(g.Endpoints, orderPod(r, uids))
		}
		wanted = append(wanted, g.Endpoints...)
		in.Groups = append(in.Groups, g)
	}
	for i := range 1 + r.IntN(5) {
		s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: orderPorts(r)}
		s.Namespace, s.Name, s.ResourceVersion = "ns", fmt.Sprintf("s%d", i), fmt.Sprint(10*r.IntN(8)+i)
		s.Labels = map[string]string{discoveryv1.LabelManagedBy: "test", discoveryv1.LabelServiceName: "web"}
		for range 1 + r.IntN(5) {
			e := orderPod(r, uids)
			if len(wanted) > 0 && r.IntN(2) == 0 {
				e = *wanted[r.IntN(len(wanted))].DeepCopy()
			}
			if r.IntN(4) == 0 {
				e.Conditions.Ready = new(bool)
			}
			s.Endpoints = append(s.Endpoints, e)
		}
		in.Existing = append(in.Existing, s)
	}
	return in
}

// orderPorts draws port 80, 81, 82 or no port.
func orderPorts(r *rand.Rand) []discoveryv1.EndpointPort {
	number := int32(80 + r.IntN(4))
	if number == 83 {
		return nil
	}
	return []discoveryv1.EndpointPort{{Port: &number}}
}

func orderPod(r *rand.Rand, uids int) discoveryv1.Endpoint {
	i := r.IntN(6)
	e := discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.0.%d", i)}}
	if r.IntN(4) == 0 {
		e.Conditions.Ready = new(bool)
	}
	if r.IntN(8) == 0 {
		return e
	}
	e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: fmt.Sprintf("pod-%d", i), UID: types.UID(fmt.Sprintf("uid-%d", i))}
	if r.IntN(5) == 0 {
		e.Addresses[0] = fmt.Sprintf("10.0.0.%d", r.IntN(6))
	}
	switch {
	case uids == 0 && r.IntN(4) == 0:
		e.TargetRef.UID = types.UID(fmt.Sprintf("uid-%d", r.IntN(6)))
	case uids == 1 && r.IntN(8) == 0:
		e.TargetRef.UID = ""
	}
	return e
}
