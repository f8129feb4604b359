package gen

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer"
)

// Disagreeing draws a world in which each of a few Pods is in several slices of ours, with the
// ports on which it is wanted and with others, and what these say about serving differs. When each
// Pod changed is known.
func Disagreeing(t *rapid.T) World {
	portSets := PortSets()[:3] // the last is wanted by nobody
	endpoint := func(pod int) discoveryv1.Endpoint {
		e := discoveryv1.Endpoint{Addresses: []string{Address(pod)}, TargetRef: &corev1.ObjectReference{
			Kind: "Pod", Namespace: Namespace, Name: fmt.Sprint("pod-", pod), UID: types.UID(fmt.Sprint("uid-", pod)),
		}}
		e.Conditions.Serving = pick(t, "serving", nil, ptr(true), ptr(false))
		e.Conditions.Ready = pick(t, "ready", nil, ptr(true), ptr(false))
		return e
	}
	in := World{Input: slicer.Input{
		Key:  slicer.Key{Namespace: Namespace, Name: Name, ManagedBy: "me"},
		Meta: slicer.Meta{CreationTimestamp: clock(1)},
	}}
	in.Options.MaxEndpointsPerSlice = rapid.IntRange(1, 3).Draw(t, "maximum")
	for _, ports := range portSets[:rapid.IntRange(1, 2).Draw(t, "groups")] {
		g := slicer.Group{AddressType: discoveryv1.AddressTypeIPv4, Ports: ports}
		for pod := range 3 {
			if chance(t, 4, "not wanted") {
				continue
			}
			changed := pick(t, "changed", time.Time{}, clock(0), clock(2), clock(3), clock(4))
			g.Endpoints = append(g.Endpoints, slicer.Endpoint{API: endpoint(pod), Changed: changed})
		}
		in.Groups = append(in.Groups, g)
	}
	for i := range rapid.IntRange(2, 5).Draw(t, "slices") {
		s := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{
			Namespace: Namespace, Name: fmt.Sprint("s", i), UID: types.UID(fmt.Sprint("slice-", i)),
			ResourceVersion: fmt.Sprint(10 + rapid.IntRange(0, 3).Draw(t, "version")*5 + i),
			Labels:          map[string]string{discoveryv1.LabelServiceName: Name, discoveryv1.LabelManagedBy: "me"},
		}, AddressType: discoveryv1.AddressTypeIPv4, Ports: pick(t, "slice ports", portSets...)}
		for range rapid.IntRange(1, 3).Draw(t, "held") {
			s.Endpoints = append(s.Endpoints, endpoint(rapid.IntRange(0, 2).Draw(t, "pod")))
		}
		in.Existing = append(in.Existing, s)
	}
	return in
}

// Slices draws slices of one Service, as readers find them.
func Slices(t *rapid.T) []*discoveryv1.EndpointSlice {
	all := Draw(t).Existing
	for i, s := range all {
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[discoveryv1.LabelServiceName] = Name
		s.Name = fmt.Sprintf("s%d", i)
	}
	return all
}
