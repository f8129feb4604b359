package dedup_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// sameAddress returns k slices that all have one address, each for a Pod of its own or all for one.
func sameAddress(k int, onePod bool) []*discoveryv1.EndpointSlice {
	list := make([]*discoveryv1.EndpointSlice, k)
	for i := range list {
		pod := fmt.Sprint("u", i)
		if onePod {
			pod = "u"
		}
		list[i] = slice(fmt.Sprintf("web-%05d", i), "10.0.0.1")
		list[i].Endpoints[0].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod, UID: types.UID(pod)}
		list[i].ResourceVersion = fmt.Sprint(i + 1)
	}
	return list
}

// rewriter writes one of the slices after the other, each time with other conditions and a newer version.
type rewriter struct {
	ix     *dedup.Index
	list   []*discoveryv1.EndpointSlice
	writes int
}

func newRewriter(k int, onePod bool) *rewriter {
	r := &rewriter{ix: &dedup.Index{}, list: sameAddress(k, onePod)}
	r.ix.Replace(r.list)
	r.ix.Flush()
	return r
}

func (r *rewriter) write() {
	r.writes++
	s := *r.list[r.writes*7919%len(r.list)]
	s.ResourceVersion = fmt.Sprint(len(r.list) + r.writes)
	s.Endpoints = []discoveryv1.Endpoint{s.Endpoints[0]}
	s.Endpoints[0].Conditions.Ready = ptr(r.writes%2 == 0)
	r.ix.Upsert(&s)
	r.ix.Flush()
}

// BenchmarkIndexSameAddress rewrites one of k slices that have one address: an event costs by k (D5).
func BenchmarkIndexSameAddress(b *testing.B) {
	for _, k := range []int{250, 1000, 4000, 16000} {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			r := newRewriter(k, false)
			b.ReportAllocs()
			for b.Loop() {
				r.write()
			}
		})
	}
}
