package conformance

import (
	"fmt"
	"sync"
	"testing"

	"github.com/slicewright/slicewright/internal/test/measure"
)

const (
	clusterServices = 5000
	clusterSeed     = 7
)

// BenchmarkCluster syncs every Service of a cluster once, with 1, 2 and 4 workers. All objects are in memory, about 0.4 GB.
func BenchmarkCluster(b *testing.B) {
	for _, kind := range ServiceCases {
		input := sync.OnceValues(func() (*Services, error) { return NewServices(kind, clusterServices, clusterSeed) })
		for _, impl := range []string{KubernetesSide, SlicewrightSide} {
			for _, size := range []string{"all", "small"} {
				for _, workers := range []int{1, 2, 4} {
					b.Run(fmt.Sprintf("impl=%s/case=%s/services=%s/workers=%d", impl, kind, size, workers), func(b *testing.B) {
						all, err := input()
						if err != nil {
							b.Fatal(err)
						}
						if size == "small" {
							all = all.Small()
						}
						benchmarkServices(b, all, impl, workers)
					})
				}
			}
		}
	}
}

func benchmarkServices(b *testing.B, all *Services, impl string, workers int) {
	before := measure.Heap()
	syncAll := all.BySlicewright
	if impl == KubernetesSide {
		syncAll = all.Kubernetes()
	}
	sync := func() {
		if _, err := syncAll(workers); err != nil {
			b.Fatal(err)
		}
	}
	sync()
	kept := measure.Heap() - before
	b.ReportMetric(benchmark(b, sync)/float64(all.Len())/1000, "cpu-us/service")
	b.ReportMetric(max(0, kept)/1e6, "kept-MB")
}

// TestServices checks that what BenchmarkCluster measures is what it says: in a resync nobody writes; after a day's changes
// both sides write, and Slicewright at most as much as Kubernetes, with any number of workers.
func TestServices(t *testing.T) {
	for _, kind := range ServiceCases {
		all, err := NewServices(kind, 100, clusterSeed)
		if err != nil {
			t.Fatal(err)
		}
		theirs := all.Kubernetes()
		for _, workers := range []int{1, 4} {
			ours, err := all.BySlicewright(workers)
			if err != nil {
				t.Fatal(err)
			}
			reference, err := theirs(workers)
			if err != nil {
				t.Fatal(err)
			}
			if ours > reference || (ours == 0) != (kind == "resync") || (reference == 0) != (kind == "resync") {
				t.Errorf("%s, %d workers: %d and %d writes", kind, workers, ours, reference)
			}
		}
		if small := all.Small(); small.Len() < 50 || small.Len() > 70 || all.Pods < 100 {
			t.Errorf("%s: %d of 100 Services are small; %d Pods", kind, small.Len(), all.Pods)
		}
	}
}
