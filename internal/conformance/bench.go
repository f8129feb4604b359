package conformance

import (
	"fmt"
	"math/rand"

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

// BenchRuns are one sync of a case by each side: the reference, the library, and the library as recommended.
func BenchRuns(kind string, n int) ([]func(), error) {
	c, err := BenchCluster(kind, n)
	if err != nil {
		return nil, err
	}
	r := NewReference(c)
	var runs []func()
	for _, side := range []Side{r.Sync, BySlicewright, Recommended} {
		want, err := side(c)
		if err != nil {
			return nil, err
		}
		runs = append(runs, func() {
			if writes, err := side(c); err != nil || len(writes) != len(want) {
				panic(fmt.Sprint("the same input makes ", len(writes), " and not ", len(want), " writes: ", err))
			}
		})
	}
	return runs, nil
}
