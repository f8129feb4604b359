package dedup_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

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

// BenchmarkOnePort finds the endpoints of one port of a Service.
func BenchmarkOnePort(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		list := gen.Service(n).Existing
		b.Run(fmt.Sprintf("endpoints=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found, _ := dedup.OnePort(list, "http", "", dedup.Options{}); len(found) != n {
					b.Fatal(len(found), " endpoints are found")
				}
			}
		})
	}
}

// BenchmarkIndex shows an Index of a Service, in turn, a slice that lacks its last endpoint and the
// one that has it.
func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprintf("endpoints=%d", n), func(b *testing.B) {
			ix, list := newIndex(dedup.Options{}), gen.Service(n).Existing
			for _, s := range list {
				ix.Upsert(s)
			}
			ix.Flush()
			now, next := list[0], list[0].DeepCopy()
			next.ResourceVersion += "0"
			next.Endpoints = next.Endpoints[:len(next.Endpoints)-1]
			b.ReportAllocs()
			for b.Loop() {
				ix.Upsert(next)
				if changes, _ := ix.Flush(); len(changes.Ports) == 0 {
					b.Fatal("nothing changed")
				}
				now, next = next, now
			}
		})
	}
}
