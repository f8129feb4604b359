package conformance

import (
	"fmt"
	"math/rand"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/slicer"
)

// Benchmarks measure one sync, from the Service, its Pods and the Nodes to recorded writes. Both sides get the very same
// objects, which neither changes: the Pods that the Service selects and its slices, as listers find them, and a map of
// Nodes. What a controller does besides (queueing, listing, talking to the API server) is on neither side: the client
// only appends to a list, logs, events and metrics go nowhere.

// BenchSizes are the numbers of Pods.
var BenchSizes = []int{100, 1000, 10000}

// BenchCases are what changed since the last sync: nothing; every hundredth Pod was replaced; the target port.
var BenchCases = []string{"noop", "roll", "ports"}

// BenchCluster makes the input of a case. Pods and endpoints are in no order, in memory either, and no two objects share
// any, as in the informers of a cluster that has lived for a while.
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
	if err := c.decode(); err != nil {
		return nil, err
	}
	shuffle()
	return c, nil
}

// decode puts copies of Pods and slices in their place that were sent through protobuf, as an informer gets them: no two
// objects have a text in common.
func (c *Cluster) decode() error {
	for i, pod := range c.Pods {
		c.Pods[i] = new(corev1.Pod)
		if err := transfer(pod, c.Pods[i]); err != nil {
			return err
		}
	}
	for i, s := range c.Slices {
		c.Slices[i] = new(discoveryv1.EndpointSlice)
		if err := transfer(s, c.Slices[i]); err != nil {
			return err
		}
	}
	return nil
}

func transfer(from interface{ Marshal() ([]byte, error) }, to interface{ Unmarshal([]byte) error }) error {
	data, err := from.Marshal()
	if err != nil {
		return err
	}
	return to.Unmarshal(data)
}

// BenchRuns are one sync of a case by each side: the reference, the library, and the library as recommended.
func BenchRuns(kind string, n int) ([]func(), error) {
	c, err := BenchCluster(kind, n)
	if err != nil {
		return nil, err
	}
	pods, existing := c.selected(), c.live()
	r := NewReference(c)
	var runs []func()
	for _, side := range []func() ([]Write, error){
		func() ([]Write, error) { return r.Reconcile(c, pods, existing) },
		worker(c, pods, nil),
		worker(c, pods, recommend),
	} {
		want, err := side()
		if err != nil {
			return nil, err
		}
		runs = append(runs, func() {
			if writes, err := side(); err != nil || len(writes) != len(want) {
				panic(fmt.Sprint("the same input makes ", len(writes), " and not ", len(want), " writes: ", err))
			}
		})
	}
	return runs, nil
}

func worker(c *Cluster, pods []*corev1.Pod, change func(*slicer.Options)) func() ([]Write, error) {
	w := &Worker{change: change}
	return func() ([]Write, error) { return w.Reconcile(c, pods) }
}
