package conformance

import (
	"math/rand"
	"testing"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// Benchmarks measure one sync, from the Service, its Pods and the Nodes to recorded writes. Both sides get the very same
// objects, which neither changes, and finds the Pods that the Service selects among them. What a controller does besides
// (queueing, talking to the API server) is on neither side: the client only appends to a list, Nodes are in a map, logs,
// events and metrics go nowhere.

// BenchSizes are the numbers of Pods.
var BenchSizes = []int{100, 1000, 10000}

// BenchCases are what changed since the last sync: nothing; every hundredth Pod was replaced; the target port.
var BenchCases = []string{"noop", "roll", "ports"}

// BenchSides are both implementations.
var BenchSides = []string{"slicewright", "reference"}

// BenchCluster makes the input of a case. Pods and endpoints are in no order, as on a cluster that has lived for a while.
func BenchCluster(kind string, n int) (*Cluster, error) {
	c := NewCluster(n)
	random := rand.New(rand.NewSource(1))
	shuffle := func() { random.Shuffle(len(c.Pods), func(i, j int) { c.Pods[i], c.Pods[j] = c.Pods[j], c.Pods[i] }) }
	shuffle()
	if _, err := c.Settle(BySlicewright); err != nil {
		return nil, err
	}
	for _, s := range c.Slices {
		random.Shuffle(len(s.Endpoints), func(i, j int) { s.Endpoints[i], s.Endpoints[j] = s.Endpoints[j], s.Endpoints[i] })
	}
	switch kind {
	case "roll":
		for i := 0; i < n; i += 100 {
			c.Pods[i] = NewPod(n+i, c.Pods[i].Spec.NodeName)
		}
	case "ports":
		c.Service.Spec.Ports[0].TargetPort = intstr.FromInt32(8081)
	}
	shuffle()
	return c, nil
}

// BenchReconcile measures a side on a cluster.
func BenchReconcile(b *testing.B, side string, c *Cluster) {
	b.Helper()
	run, want, err := benchRun(side, c)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if n, err := run(); err != nil || n != want {
			b.Fatal(n, want, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(c.Pods)), "ns/endpoint")
}

// benchRun returns one sync and the number of its writes, after having run it once.
func benchRun(side string, c *Cluster) (run func() (int, error), writes int, err error) {
	run = func() (int, error) {
		writes, err := BySlicewright(c)
		return len(writes), err
	}
	if side == "reference" {
		r := NewReference(c)
		run = func() (int, error) {
			writes, err := r.Sync(c)
			return len(writes), err
		}
	}
	writes, err = run()
	return run, writes, err
}
