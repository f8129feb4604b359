package conformance

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/endpointslice/topologycache"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/sim"
)

// BenchmarkBesideKubernetes measures Kubernetes' Reconciler and the library on the same objects. A
// sync goes from the Service, its Pods, the Nodes and its slices to recorded writes. The metric
// ratio is the Reconciler's time divided by the library's. The two take turns every few
// milliseconds, and ratio is the median of all turns, so that other load on the machine hardly
// changes it.
func BenchmarkBesideKubernetes(b *testing.B) {
	all := slices.Concat(fleet(b, 200, 1), fleet(b, 200, 2), fleet(b, 200, 3), fleet(b, 300, 12), fleet(b, 90, 110),
		fleet(b, 10, 1100))
	b.Run("resync", func(b *testing.B) { beside(b, syncs(b, false, all)) })
	for _, pods := range []int{3, 100, 1000, 10_000} {
		c := fleet(b, 1, pods)[0]
		replaced, n := c.clone(), max(1, pods/10_000*100)
		for i := range n {
			replaced.Pods[i] = newPod(pods+i, c.Pods[i].Spec.NodeName)
		}
		name, nothing, some := fmt.Sprintf("pods=%d/replaced=", pods), []*Cluster{c}, []*Cluster{replaced}
		if pods < 10_000 {
			b.Run(name+"0", func(b *testing.B) { beside(b, syncs(b, false, nothing)) })
		}
		b.Run(name+fmt.Sprint(n), func(b *testing.B) { beside(b, syncs(b, true, some)) })
	}
	b.Run("hints", func(b *testing.B) { beside(b, assigns(b, fleet(b, 1, 100)[0])) })
}

// fleet returns Services with the same number of Pods on the same Nodes in three zones, published
// by the Reconciler. Slices share no memory with Pods, as in the caches of a controller.
func fleet(b *testing.B, services, pods int) (all []*Cluster) {
	nodes := map[string]*corev1.Node{}
	for i := range 60 {
		node := newNode(fmt.Sprintf("node-%d", i), string(rune('a'+i%3)), 4+i%3)
		nodes[node.Name] = node
	}
	for range services {
		c := &Cluster{Service: newService(), Nodes: nodes, Max: 100, Trigger: time.Unix(1_790_000_000, 0)}
		for i := range pods {
			c.Pods = append(c.Pods, newPod(i, fmt.Sprintf("node-%d", i*7919%len(nodes))))
		}
		server := &sim.Server{}
		writes, err := NewReference(c).Plan(c)
		errs := []error{err, Publish(server, writes)}
		for _, s := range server.List() {
			text, err := s.Marshal()
			decoded := &discoveryv1.EndpointSlice{}
			c.Slices = append(c.Slices, decoded)
			errs = append(errs, err, decoded.Unmarshal(text))
		}
		if all = append(all, c); errors.Join(errs...) != nil {
			b.Fatal(errs)
		}
	}
	return all
}

// sides are the same operation by Kubernetes' code and by the library.
type sides struct{ kubernetes, slicewright func() }

// syncs returns one sync of each Service. It fails if something is written although nothing
// changed, or nothing although something changed.
func syncs(b *testing.B, changed bool, all []*Cluster) sides {
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
	return sides{
		run(func(c *Cluster) ([]Write, error) { return reference.Reconcile(c, c.Pods, c.Slices) }),
		run(func(c *Cluster) ([]Write, error) {
			writes, _, err := Slicewright(c)
			return writes, err
		}),
	}
}

// assigns returns one decision about topology mode Auto, for endpoints without hints that are
// spread evenly over three zones of different size.
func assigns(b *testing.B, c *Cluster) sides {
	topology := topologycache.NewTopologyCache()
	topology.SetNodes(logr.Discard(), c.nodes())
	config := hints.Options{Mode: hints.Proportional, Weights: hints.NodeWeights(c.nodes(), nil)}
	hinted := copies(c.Slices) // the Reconciler's side sets the hints of its input
	var in []hints.Slice
	for _, s := range c.Slices {
		in = append(in, hints.Slice{Name: s.Name, Endpoints: s.Endpoints, Written: true})
	}
	return sides{func() {
		si := &topologycache.SliceInfo{ServiceKey: namespace + "/" + serviceName, ToUpdate: hinted,
			AddressType: discoveryv1.AddressTypeIPv4}
		if topology.AddHints(logr.Discard(), si); !topology.HasPopulatedHints(si.ServiceKey) {
			b.Fatal("Kubernetes gives no hints")
		}
	}, func() {
		if changes, decision, err := hints.Assign(config, in); err != nil || !decision.On || len(changes) == 0 {
			b.Fatal("no hints: ", decision, err)
		}
	}}
}

// beside measures both sides in turns of at least 5 ms. An iteration of the benchmark is one turn
// of each.
func beside(b *testing.B, do sides) {
	var ratios []float64
	var theirs, ours time.Duration // of all turns
	count := 1
	for timed(count, do.slicewright) < 5*time.Millisecond {
		count *= 2
	}
	for b.Loop() {
		their, our := timed(count, do.kubernetes), timed(count, do.slicewright)
		ratios = append(ratios, float64(their)/float64(our))
		theirs += their
		ours += our
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(theirs)/float64(b.N*count), "kubernetes-ns")
	b.ReportMetric(float64(ours)/float64(b.N*count), "slicewright-ns")
	b.ReportMetric(slices.Sorted(slices.Values(ratios))[len(ratios)/2], "ratio")
}

// timed returns the time that a number of calls takes.
func timed(count int, call func()) time.Duration {
	start := time.Now()
	for range count {
		call()
	}
	return time.Since(start)
}
