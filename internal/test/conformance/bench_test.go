//go:build unix

package conformance

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// BenchmarkBesideKubernetes measures Kubernetes' Reconciler and the library on the same objects. A
// sync goes from the Service, its Pods, the Nodes and its slices to recorded writes. The metric
// ratio is the Reconciler's processor time divided by the library's. The two take turns, so that
// other load on the machine hardly changes it.
func BenchmarkBesideKubernetes(b *testing.B) {
	all := slices.Concat(fleet(b, 200, 1), fleet(b, 200, 2), fleet(b, 200, 3), fleet(b, 300, 12), fleet(b, 90, 110),
		fleet(b, 10, 1100))
	b.Run("resync", func(b *testing.B) { beside(b, syncs(b, false, all...)) })
	for _, pods := range []int{3, 100, 1000, 10_000} {
		c := fleet(b, 1, pods)[0]
		replaced, n := c.clone(), max(1, pods/10_000*100)
		for i := range n {
			replaced.Pods[i] = newPod(pods+i, c.Pods[i].Spec.NodeName)
		}
		name := fmt.Sprintf("pods=%d/replaced=", pods)
		if pods < 10_000 {
			b.Run(name+"0", func(b *testing.B) { beside(b, syncs(b, false, c)) })
		}
		b.Run(name+fmt.Sprint(n), func(b *testing.B) { beside(b, syncs(b, true, replaced)) })
	}
	b.Run("hints", func(b *testing.B) { beside(b, assigns(b, fleet(b, 1, 100)[0])) })
}

// fleet returns Services with the same number of Pods on the same Nodes in three zones, published
// by the Reconciler. Slices share no memory with Pods, as in the caches of a controller.
func fleet(b *testing.B, count, pods int) (all []*Cluster) {
	nodes := map[string]*corev1.Node{}
	for i := range 60 {
		node := newNode(fmt.Sprintf("node-%d", i), string(rune('a'+i%3)), 4+i%3)
		nodes[node.Name] = node
	}
	for range count {
		c := &Cluster{Service: newService(), Nodes: nodes, Max: 100, Trigger: time.Unix(1_790_000_000, 0)}
		for i := range pods {
			c.Pods = append(c.Pods, newPod(i, fmt.Sprintf("node-%d", i*7919%len(nodes))))
		}
		writes, err := NewReference(c).Plan(c)
		for _, s := range After(nil, writes) {
			text, failed := s.Marshal()
			decoded := &discoveryv1.EndpointSlice{}
			err = errors.Join(err, failed, decoded.Unmarshal(text))
			c.Slices = append(c.Slices, decoded)
		}
		if all = append(all, c); err != nil {
			b.Fatal(err)
		}
	}
	return all
}

// syncs returns one sync of each Service by Kubernetes' code and by the library. It fails if
// something is written although nothing changed, or nothing although something changed.
func syncs(b *testing.B, changed bool, all ...*Cluster) [2]func() {
	reference := NewReference(all[0])
	run := func(plan func(c *Cluster) ([]Write, error)) func() {
		return func() {
			for _, c := range all {
				if writes, err := plan(c); err != nil || (len(writes) > 0) != changed {
					b.Fatal(len(writes), " writes: ", err)
				}
			}
		}
	}
	return [2]func(){
		run(func(c *Cluster) ([]Write, error) { return reference.Reconcile(c, c.Pods, c.Slices) }),
		run(func(c *Cluster) ([]Write, error) {
			in, err := services.FromPods(c.Service, c.Pods, nodeLister{nodes: c.Nodes}, options)
			if err != nil {
				return nil, err
			}
			plan, err := slicer.Compute(in, c.Slices)
			return writesOf(plan), err
		}),
	}
}

// assigns returns one decision about topology mode Auto, for endpoints without hints that are
// spread evenly over three zones of different size.
func assigns(b *testing.B, c *Cluster) [2]func() {
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), c.nodes())
	config := hints.Options{Mode: hints.Auto, Weights: hints.NodeWeights(c.nodes(), nil)}
	hinted, endpoints := copies(c.Slices), []discoveryv1.Endpoint{} // Kubernetes' code sets the hints of its input
	for _, s := range c.Slices {
		endpoints = append(endpoints, s.Endpoints...)
	}
	return [2]func(){func() {
		si := &topologycache.SliceInfo{ServiceKey: "shop/web", ToUpdate: hinted, AddressType: "IPv4"}
		if topology.AddHints(logr.Discard(), si); !topology.HasPopulatedHints(si.ServiceKey) {
			b.Fatal("Kubernetes gives no hints")
		}
	}, func() {
		if _, decision, err := hints.Assign(config, endpoints); err != nil || !decision.On {
			b.Fatal("no hints: ", decision, err)
		}
	}}
}

// beside measures both sides in turn, for at least 20 ms so that each pays for its own garbage.
func beside(b *testing.B, do [2]func()) {
	var turns [2][]float64 // nanoseconds of a call
	calls := [2]int{1, 1}  // in a turn
	for i := range do {
		for float64(calls[i])*timed(calls[i], do[i]) < 20e6 {
			calls[i] *= 2
		}
	}
	for b.Loop() {
		for i := range do {
			turns[i] = append(turns[i], timed(calls[i], do[i]))
		}
	}
	median := func(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(turns[0]), "kubernetes-ns")
	b.ReportMetric(median(turns[1]), "slicewright-ns")
	b.ReportMetric(median(turns[0])/median(turns[1]), "ratio")
}

// timed returns the processor time of one call in nanoseconds, as the mean of n calls. Other
// processes do not change it, and garbage collection is in it.
func timed(n int, call func()) float64 {
	used := func() int64 {
		var usage syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		return usage.Utime.Nano() + usage.Stime.Nano()
	}
	start := used()
	for range n {
		call()
	}
	return float64(used()-start) / float64(n)
}
