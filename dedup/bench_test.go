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

// manySlices returns n endpoints of one Service in slices of 100, as the endpoint slice controller writes them:
// addresses in no order, three zones with hints, Pods of their own.
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
			Ports:       []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(8080)), Protocol: ptr(corev1.ProtocolTCP)}},
		}
		for _, i := range order[start:min(start+100, n)] {
			zone := fmt.Sprintf("zone-%c", 'a'+i%3)
			s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
				Addresses:  []string{gen.Address(i)},
				Conditions: discoveryv1.EndpointConditions{Ready: ptr(true), Serving: ptr(true), Terminating: ptr(false)},
				NodeName:   ptr(fmt.Sprintf("node-%d", i%500)), Zone: &zone,
				TargetRef: &corev1.ObjectReference{
					Kind: "Pod", Namespace: "default", Name: fmt.Sprintf("web-%d", i), UID: types.UID(fmt.Sprintf("u-%d", i)),
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

func BenchmarkMerge(b *testing.B) {
	for _, n := range gen.Sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			list := manySlices(n)
			b.ReportAllocs()
			for b.Loop() {
				dedup.Merge(list, dedup.Options{})
			}
			gen.PerEndpoint(b, n)
		})
	}
}

// BenchmarkIndexReplace takes in 50 slices of 100 endpoints, and reads nothing or all of its deltas.
func BenchmarkIndexReplace(b *testing.B) {
	const n = 5000
	for _, reads := range []bool{false, true} {
		b.Run(fmt.Sprintf("read=%v", reads), func(b *testing.B) {
			list := manySlices(n)
			b.ReportAllocs()
			for b.Loop() {
				ix := newIndex(dedup.Options{})
				ix.Replace(list)
				deltas := portsOf(ix.Flush())
				if added, _, _ := deltas[0].Counts(); added != n {
					b.Fatalf("%d of %d endpoints", added, n)
				}
				if !reads {
					continue
				}
				read := 0
				for e := range deltas[0].Added() {
					read += len(e.NodeName)
				}
				if read < n {
					b.Fatalf("read %d", read)
				}
			}
			gen.PerEndpoint(b, n)
		})
	}
}

func isOneChange(deltas []dedup.Delta) bool {
	if len(deltas) != 1 {
		return false
	}
	added, removed, changed := deltas[0].Counts()
	return added == 0 && removed == 0 && changed == 1
}

// BenchmarkIndexFlip changes one condition in one slice of 100, each time in another slice.
func BenchmarkIndexFlip(b *testing.B) {
	for _, n := range []int{500, 5000, 50000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			list := manySlices(n)
			flipped := make([]*discoveryv1.EndpointSlice, len(list))
			for i, s := range list {
				flipped[i] = s.DeepCopy()
				flipped[i].Endpoints[i%100].Conditions.Ready = ptr(false)
				flipped[i].Annotations[corev1.EndpointsLastChangeTriggerTime] = "2026-11-20T07:00:00Z"
			}
			ix := newIndex(dedup.Options{})
			ix.Replace(list)
			ix.Flush()
			i := 0
			b.ReportAllocs()
			for b.Loop() {
				from := list
				if i/len(list)%2 == 0 {
					from = flipped
				}
				ix.Upsert(from[i%len(list)])
				if deltas := portsOf(ix.Flush()); !isOneChange(deltas) {
					b.Fatalf("got %d deltas", len(deltas))
				}
				i++
			}
		})
	}
}
