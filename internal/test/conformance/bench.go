package conformance

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/measure"
)

// Benchmarks measure one sync, from the Service, its Pods and the Nodes to recorded writes. Both
// sides get the very same objects, which neither changes: the Pods that the Service selects and its
// slices, as listers find them, and a map of Nodes. What a controller does besides (queueing,
// listing, talking to the API server) is on neither side: the client only appends to a list, logs,
// events and metrics go nowhere.

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

// SyncRuns returns one sync of a Service by each side, Kubernetes' first.
func SyncRuns(s *bench.Sync) ([]Run, error) { return ResyncRuns([]*bench.Sync{s}) }

// ResyncRuns returns one sync of each of several Services by each side, Kubernetes' first.
// Kubernetes' side has one Reconciler for all of them, as in kube-controller-manager.
func ResyncRuns(all []*bench.Sync) ([]Run, error) {
	clusters := make([]*Cluster, len(all))
	for i, s := range all {
		clusters[i] = &Cluster{
			Service: s.Service, Pods: s.Pods, Nodes: s.Nodes, Slices: s.Slices, Max: 100,
			Trigger: time.Unix(1_790_000_000, 0),
		}
	}
	reference := NewReference(clusters[0])
	theirs, err := syncs(KubernetesSide, all, func(i int) ([]Write, error) {
		return reference.Reconcile(clusters[i], clusters[i].Pods, clusters[i].Slices)
	})
	ours, failed := syncs(SlicewrightSide, all, func(i int) ([]Write, error) {
		plan, err := all[i].Plan()
		return writesOf(plan), err
	})
	return []Run{theirs, ours}, errors.Join(err, failed)
}

// syncs returns the operation of a side that syncs each Service once. The error says which sync is
// not as it has to be: one that fails, or that writes although nothing changed, or writes nothing.
func syncs(side string, all []*bench.Sync, sync func(i int) ([]Write, error)) (Run, error) {
	do := func() error {
		for i, s := range all {
			if writes, err := sync(i); err != nil || (len(writes) == 0) != (s.Change == bench.Nothing) {
				return fmt.Errorf("%s changed, and %s makes %d writes: %v", s.Change, side, len(writes), err)
			}
		}
		return nil
	}
	return Run{side, func() {
		if err := do(); err != nil {
			panic(err)
		}
	}}, do()
}

// Figures are what one operation costs.
type Figures struct {
	CPU    time.Duration // processor time, the garbage collector's included
	Allocs float64       // of memory
}

// Measure runs operations in turn, round after round, so that whatever else the machine does meets
// all of them, and returns the best round of each. A round takes at least so much processor time.
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
