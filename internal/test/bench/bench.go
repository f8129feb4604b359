// Package bench has the inputs of all benchmarks, and runs them.
//
// A [Sync] is what one sync of a Service is given: the Service, its Pods, the Nodes, and the slices
// that were published before something changed. Benchmarks of other packages are given what a Sync
// holds or what is derived from it.
package bench

import (
	"fmt"
	"runtime"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/test/measure"
)

// Sizes are the numbers of Pods of a Service.
var Sizes = []int{3, 10, 100, 1000}

// Change is what happened since the slices of a Service were written.
type Change string

const (
	Nothing    Change = "nothing"
	OnePod     Change = "one"     // another Pod took the place of one
	OnePercent Change = "percent" // of every hundredth Pod, at least one
	Rolling    Change = "rolling" // of a quarter, at least one: Deployments replace that many at once by default
	AllPods    Change = "all"
	TargetPort Change = "port" // the Service has another targetPort
)

// Changes are the changes that writers of slices are measured with.
var Changes = []Change{Nothing, OnePod, Rolling, TargetPort}

// Replaced returns how many of n Pods were replaced.
func (c Change) Replaced(n int) int {
	switch c {
	case OnePod:
		return 1
	case OnePercent:
		return (n + 99) / 100
	case Rolling:
		return (n + 3) / 4
	case AllPods:
		return n
	default:
		return 0
	}
}

// Many returns how many Services of a size take turns, so that the data of one is no longer in the
// processor's caches when its turn comes.
func Many(pods int) int { return min(4000, 40_000/pods) }

// Cases are the cases of a benchmark.
type Cases struct {
	// Family is that of the Services; empty: IPv4.
	Family corev1.IPFamily
	// Changes are the changes that are measured. If nil, nothing changes, and names of cases do not
	// say so.
	Changes []Change
}

// Run runs a benchmark for Services of each size, with one Service in a loop and with many Services
// that take turns, after each change. The flag -short lets three take turns, for tests that only
// want to see each benchmark run.
//
// prepare is called with the Services of each case, and returns the operation for the Service at an
// index.
func (c Cases) Run(b *testing.B, prepare func(b *testing.B, all []*Sync) func(i int)) {
	for _, pods := range Sizes {
		many := Many(pods)
		if testing.Short() {
			many = 3
		}
		fleet := Services(many, pods, c.Family)
		for _, turns := range []int{1, many} {
			name := fmt.Sprintf("pods=%d/services=%s", pods, oneOrMany(turns))
			run := func(name string, change Change) {
				b.Run(name, func(b *testing.B) { loop(b, turns, prepare(b, fleet[:turns].After(change))) })
			}
			if c.Changes == nil {
				run(name, Nothing)
			}
			for _, change := range c.Changes {
				run(name+"/change="+string(change), change)
			}
		}
	}
}

func oneOrMany(services int) string {
	if services == 1 {
		return "one"
	}
	return "many"
}

// loop measures an operation for n Services in turn. It reports processor time beside that on the
// clock, because other processes can only slow down the latter.
func loop(b *testing.B, n int, operation func(i int)) {
	runtime.GC() // what the preparation left behind
	b.ReportAllocs()
	start, i := measure.CPUTime(), 0
	for b.Loop() {
		operation(i)
		if i++; i == n {
			i = 0
		}
	}
	b.ReportMetric(float64(measure.CPUTime()-start)/float64(b.N), "cpu-ns/op")
}
