package conformance

import (
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/internal/test/measure"
)

// Benchmarks measure one sync, from the Service, its Pods and the Nodes to recorded writes. Both sides get the very same
// objects, which neither changes: the Pods that the Service selects and its slices, as listers find them, and a map of
// Nodes. What a controller does besides (queueing, listing, talking to the API server) is on neither side: the client
// only appends to a list, logs, events and metrics go nowhere.

// BenchCases are what changed since the last sync: nothing; one Pod was replaced; every hundredth Pod was replaced; the target port.
var BenchCases = []string{"noop", "one", "roll", "ports"}

// BenchCluster makes the input of a case. Pods and endpoints are in no order, in memory either, and no two objects share
// any, as in the informers of a cluster that has lived for a while.
func BenchCluster(kind string, n int) (*Cluster, error) {
	c := NewCluster(n)
	random := rand.New(rand.NewSource(1))
	shuffle := func() { random.Shuffle(len(c.Pods), func(i, j int) { c.Pods[i], c.Pods[j] = c.Pods[j], c.Pods[i] }) }
	shuffle()
	if _, err := c.PublishAll(BySlicewright); err != nil {
		return nil, err
	}
	for _, s := range c.Slices {
		random.Shuffle(len(s.Endpoints), func(i, j int) { s.Endpoints[i], s.Endpoints[j] = s.Endpoints[j], s.Endpoints[i] })
	}
	replace := func(i int) { c.Pods[i] = NewPod(n+i, c.Pods[i].Spec.NodeName) }
	switch kind {
	case "one":
		replace(0)
	case "roll":
		for i := 0; i < n; i += 100 {
			replace(i)
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

// Run is one operation of one side of a benchmark.
type Run struct {
	Side string
	Do   func()
}

// The sides of a benchmark.
const (
	KubernetesSide  = "kubernetes"  // the reference
	SlicewrightSide = "slicewright" // the library
)

// BenchRuns are one sync of a case by each side, Kubernetes' first.
func BenchRuns(kind string, n int) ([]Run, error) {
	c, err := BenchCluster(kind, n)
	if err != nil {
		return nil, err
	}
	pods, existing := c.selected(), c.live()
	var runs []Run
	add := func(side string, sync func() ([]Write, error)) error {
		want, err := sync()
		if err != nil || (len(want) == 0) != (kind == "noop") {
			return fmt.Errorf("%s makes %d writes of %s: %v", side, len(want), kind, err)
		}
		runs = append(runs, Run{side, func() {
			if writes, err := sync(); err != nil || len(writes) != len(want) {
				panic(fmt.Sprint("the same input makes ", len(writes), " and not ", len(want), " writes: ", err))
			}
		}})
		return nil
	}
	r := NewReference(c)
	return runs, errors.Join(
		add(KubernetesSide, func() ([]Write, error) { return r.Reconcile(c, pods, existing) }),
		add(SlicewrightSide, func() ([]Write, error) { return plan(c, pods) }),
	)
}

// Figures are what one operation costs.
type Figures struct {
	CPU    time.Duration // processor time, the garbage collector's included
	Allocs float64       // of memory
}

// Measure runs operations in turn, round after round, so that whatever else the machine does meets all of them, and
// returns the best round of each. A round takes at least so much processor time.
func Measure(rounds int, round time.Duration, operations ...func()) []Figures {
	best := make([]Figures, len(operations))
	for r := range rounds {
		for i, operation := range operations {
			if f := measureRound(round, operation); r == 0 || f.CPU < best[i].CPU {
				best[i] = f
			}
		}
	}
	return best
}

func measureRound(round time.Duration, operation func()) Figures {
	operation() // what a first run leaves in pools and caches is there
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, n := measure.CPUTime(), 0
	for n == 0 || measure.CPUTime()-start < round {
		operation()
		n++
	}
	used := measure.CPUTime() - start
	runtime.ReadMemStats(&after)
	return Figures{
		CPU:    used / time.Duration(n),
		Allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
	}
}
