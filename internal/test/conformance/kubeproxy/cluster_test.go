package kubeproxy

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/proxy"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/measure"
)

// reader is what reads the slices of a cluster.
type reader interface {
	put(s *discoveryv1.EndpointSlice)
	flush()
	usable() int // endpoints of all Services' ports that are ready
}

var readers = map[string]func() reader{
	"slicewright": func() reader { return &indexed{} },
	"kube-proxy":  func() reader { return newTracked() },
}

type indexed struct{ index dedup.Index }

func (x *indexed) put(s *discoveryv1.EndpointSlice) { x.index.Upsert(s) }

func (x *indexed) flush() { x.index.Flush() }

func (x *indexed) usable() (count int) {
	for _, e := range x.index.View().All() {
		if e.State.Ready {
			count++
		}
	}
	return count
}

// tracked is kube-proxy's own: a tracker and a map of endpoints for each address family.
type tracked struct {
	trackers  []*proxy.EndpointsChangeTracker
	endpoints []proxy.EndpointsMap
}

func newTracked() *tracked {
	t := &tracked{}
	for _, family := range []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol} {
		t.trackers = append(t.trackers, proxy.NewEndpointsChangeTracker(family, "node-1", nil, nil))
		t.endpoints = append(t.endpoints, proxy.EndpointsMap{})
	}
	return t
}

func (t *tracked) put(s *discoveryv1.EndpointSlice) { t.update(s, false) }

func (t *tracked) update(s *discoveryv1.EndpointSlice, gone bool) {
	for _, tracker := range t.trackers { // of which only that of the slice's family takes it
		tracker.EndpointSliceUpdate(s, gone)
	}
}

func (t *tracked) flush() {
	for i, endpoints := range t.endpoints {
		endpoints.Update(t.trackers[i])
	}
}

func (t *tracked) usable() (count int) {
	for _, endpoints := range t.endpoints {
		for _, list := range endpoints {
			for _, e := range list {
				if e.IsReady() {
					count++
				}
			}
		}
	}
	return count
}

// cluster has the slices of n Services, six of ten with 1 to 3 endpoints and one of a hundred with 201 to 2 000, a tenth of them
// with both families. They have been through protobuf, as an informer gets them, and are in no order.
func cluster(tb testing.TB, n int) (list []*discoveryv1.EndpointSlice) {
	random, next := rand.New(rand.NewPCG(7, 0)), 0
	for i := range n {
		size := measure.PodsOfService(random.IntN)
		for start := 0; start < size; start += 100 {
			list = append(list, sliceOf(i, discoveryv1.AddressTypeIPv4, next+start, min(100, size-start)))
			if i%10 == 0 {
				list = append(list, sliceOf(i, discoveryv1.AddressTypeIPv6, next+start, min(100, size-start)))
			}
		}
		next += size
	}
	for i, s := range list {
		data, err := s.Marshal()
		if err != nil {
			tb.Fatal(err)
		}
		list[i] = &discoveryv1.EndpointSlice{}
		if err := list[i].Unmarshal(data); err != nil {
			tb.Fatal(err)
		}
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// sliceOf is a slice of the i-th Service with the Pods from first on.
func sliceOf(i int, family discoveryv1.AddressType, first, count int) *discoveryv1.EndpointSlice {
	service := fmt.Sprintf("app-%d", i)
	s := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprintf("team-%d", i%50), Name: fmt.Sprintf("%s-%s-%d", service, family, first), ResourceVersion: "1",
			Labels: map[string]string{discoveryv1.LabelServiceName: service, discoveryv1.LabelManagedBy: "endpointslice-controller.k8s.io"},
		},
		AddressType: family,
		Ports:       []discoveryv1.EndpointPort{{Name: ptr("http"), Protocol: ptr(corev1.ProtocolTCP), Port: ptr(int32(8080))}},
	}
	for n := range count {
		pod := first + n
		address := fmt.Sprintf("10.%d.%d.%d", pod>>16, pod>>8&255, pod&255)
		if family == discoveryv1.AddressTypeIPv6 {
			address = fmt.Sprintf("fd00::%x:%x", pod>>16+1, pod&0xffff+1)
		}
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
			Addresses:  []string{address},
			Conditions: discoveryv1.EndpointConditions{Ready: ptr(true), Serving: ptr(true), Terminating: ptr(false)},
			NodeName:   ptr("node-" + strconv.Itoa(pod%1000)), Zone: ptr("zone-" + strconv.Itoa(pod%3)),
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: s.Namespace, Name: fmt.Sprintf("%s-%d", service, pod), UID: "u"},
		})
	}
	return s
}

// flipped returns the slice as it is after its first endpoint is ready no longer, or again.
func flipped(s *discoveryv1.EndpointSlice, version int) *discoveryv1.EndpointSlice {
	s = s.DeepCopy()
	s.ResourceVersion = strconv.Itoa(version)
	c := &s.Endpoints[0].Conditions
	c.Ready, c.Serving = ptr(!*c.Ready), ptr(!*c.Serving)
	return s
}

// BenchmarkCluster is the readers' half of a cluster of 5 000 Services: load takes all slices and syncs once, flush takes one
// slice that has changed and syncs. Processor time counts; kept-MB is the memory of a reader that has loaded.
func BenchmarkCluster(b *testing.B) {
	list := cluster(b, 5000)
	for _, impl := range []string{"kube-proxy", "slicewright"} {
		b.Run("impl="+impl+"/case=load", func(b *testing.B) {
			before := measure.Heap()
			r := load(impl, list)
			kept := measure.Heap() - before
			runtime.KeepAlive(r)
			timed(b, func() { load(impl, list) })
			b.ReportMetric(kept/1e6, "kept-MB")
		})
		b.Run("impl="+impl+"/case=flush", func(b *testing.B) {
			r := load(impl, list)
			now, n := list[0], 1
			timed(b, func() {
				n++
				now = flipped(now, n)
				r.put(now)
				r.flush()
			})
		})
	}
}

func load(impl string, list []*discoveryv1.EndpointSlice) reader {
	r := readers[impl]()
	for _, s := range list {
		r.put(s)
	}
	r.flush()
	return r
}

func timed(b *testing.B, do func()) {
	b.ReportAllocs()
	var start time.Duration
	for begun := false; b.Loop(); begun = true {
		if !begun {
			start = measure.CPUTime()
		}
		do()
	}
	b.ReportMetric(float64(measure.CPUTime()-start)/float64(b.N), "cpu-ns/op")
}

// TestClusterReaders checks that both readers of BenchmarkCluster see the same.
func TestClusterReaders(t *testing.T) {
	list := cluster(t, 100)
	usable := map[string]int{}
	for impl := range readers {
		r := load(impl, list)
		before := r.usable()
		r.put(flipped(list[0], 2))
		r.flush()
		if usable[impl] = r.usable(); usable[impl] != before-1 {
			t.Errorf("%s: %d endpoints are ready, and %d after one is no longer", impl, before, usable[impl])
		}
	}
	if usable["slicewright"] != usable["kube-proxy"] || usable["slicewright"] == 0 {
		t.Errorf("ready endpoints: %v", usable)
	}
}
