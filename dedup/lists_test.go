package dedup_test

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// manySlices returns n endpoints of one Service in slices of 100, as the endpoint slice controller
// writes them: addresses in no order, three zones with hints, Pods of their own.
func manySlices(n int) []*discoveryv1.EndpointSlice {
	rng := rand.New(rand.NewPCG(1, 2))
	order := rng.Perm(n)
	var list []*discoveryv1.EndpointSlice
	for start := 0; start < n; start += 100 {
		s := &discoveryv1.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "default", Name: fmt.Sprintf("web-%05d", start/100),
				Labels:          map[string]string{discoveryv1.LabelServiceName: "web"},
				Annotations:     map[string]string{corev1.EndpointsLastChangeTriggerTime: "2026-11-20T06:00:00Z"},
				ResourceVersion: "1",
			},
			AddressType: discoveryv1.AddressTypeIPv4,
			Ports: []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(8080)),
				Protocol: ptr(corev1.ProtocolTCP)}},
		}
		for _, i := range order[start:min(start+100, n)] {
			zone := fmt.Sprintf("zone-%c", 'a'+i%3)
			s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
				Addresses: []string{gen.Address(i)},
				Conditions: discoveryv1.EndpointConditions{Ready: ptr(true), Serving: ptr(true),
					Terminating: ptr(false)},
				NodeName: ptr(fmt.Sprintf("node-%d", i%500)), Zone: &zone,
				TargetRef: &corev1.ObjectReference{
					Kind: "Pod", Namespace: "default", Name: fmt.Sprintf("web-%d", i),
					UID: types.UID(fmt.Sprintf("u-%d", i)),
				},
				Hints: &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}},
			})
		}
		list = append(list, s)
	}
	return list
}

func ptr[T any](v T) *T { return &v }

// newIndex is NewIndex for options that are known to be good.
func newIndex(o dedup.Options) *dedup.Index {
	ix, err := dedup.NewIndex(o)
	if err != nil {
		panic(err)
	}
	return ix
}

// sameAddress returns k slices that all have one address, each for a Pod of its own or all for one.
func sameAddress(k int, onePod bool) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, k)
	for i := range list {
		pod := fmt.Sprint("u", i)
		if onePod {
			pod = "u"
		}
		list[i] = slice(fmt.Sprintf("web-%05d", i), "10.0.0.1")
		list[i].Endpoints[0].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod,
			UID: types.UID(pod)}
		list[i].ResourceVersion = fmt.Sprint(i + 1)
	}
	return list
}

// onePortLists are lists of slices by the name of their case: ten slices of 100, the same with IPv6
// addresses, one slice of three, and ten slices of 100 each of whose endpoints is in two of them.
func onePortLists() map[string][]*discoveryv1.EndpointSlice {
	ten := manySlices(1000)
	six, twice := manySlices(1000), manySlices(500)
	for _, s := range six {
		s.AddressType = discoveryv1.AddressTypeIPv6
		for i := range s.Endpoints {
			var a, b, c int
			fmt.Sscanf(s.Endpoints[i].Addresses[0], "10.%d.%d.%d", &a, &b, &c)
			s.Endpoints[i].Addresses[0] = fmt.Sprintf("fd00:10:96::%x", 0x1000+a<<16+b<<8+c)
		}
	}
	for _, s := range manySlices(500) {
		s.Name, s.ResourceVersion = "copy-"+s.Name, "2"
		twice = append(twice, s)
	}
	return map[string][]*discoveryv1.EndpointSlice{"ipv4": ten, "ipv6": six, "three": manySlices(3), "twice": twice}
}
