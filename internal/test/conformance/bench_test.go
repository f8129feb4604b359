package conformance

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BenchmarkReconcile is for benchstat -col /impl: from the Service, its Pods and the Nodes to recorded writes.
func BenchmarkReconcile(b *testing.B) {
	benchmark(b, BenchCases, BenchSizes, []string{LimitSide, KubernetesSide, SlicewrightSide, CompactSide, CopySide}, BenchRuns)
}

// BenchmarkHints is the part that decides hints, alone.
func BenchmarkHints(b *testing.B) {
	benchmark(b, HintCases, HintSizes, []string{KubernetesSide, SlicewrightSide}, HintRuns)
}

// benchmark makes the input only where -bench selects some side, because that takes longer than to measure most of them.
func benchmark(b *testing.B, cases []string, sizes []int, sides []string, runsOf func(string, int) ([]Run, error)) {
	for _, kind := range cases {
		for _, n := range sizes {
			input := sync.OnceValues(func() ([]Run, error) { return runsOf(kind, n) })
			for _, side := range sides {
				b.Run(fmt.Sprintf("impl=%s/case=%s/n=%d", side, kind, n), func(b *testing.B) {
					runs, err := input()
					if err != nil {
						b.Fatal(err)
					}
					i := slices.IndexFunc(runs, func(r Run) bool { return r.Side == side })
					if i < 0 {
						b.Skip("not measured: Kubernetes with more Pods would take minutes, and there is no copy where nothing is written")
					}
					benchmarkRun(b, n, runs[i], runs[0])
				})
			}
		}
	}
}

// benchmarkRun reports processor time beside that on the clock, since another process can slow only the latter down, and how
// many times that of the limit it is, which is measured anew beside each side.
func benchmarkRun(b *testing.B, n int, r, first Run) {
	limit := Measure(3, 30*time.Millisecond, first.Do)[0].CPU
	b.ReportAllocs()
	var start time.Duration
	for begun := false; b.Loop(); begun = true {
		if !begun {
			start = cpuTime()
		}
		r.Do()
	}
	used := float64(cpuTime()-start) / float64(b.N)
	b.ReportMetric(used, "cpu-ns/op")
	b.ReportMetric(used/float64(n), "cpu-ns/endpoint")
	if first.Side == LimitSide {
		b.ReportMetric(used/float64(limit), "x-limit")
	}
}

// TestBenchmarked checks that what is measured is what it says: nothing to write, or something, with no more writes by
// slicewright than by the reference, on input that neither changes; and a limit that finds each endpoint and Pod that
// makes a write necessary, the ports apart.
func TestBenchmarked(t *testing.T) {
	for kind, different := range map[string]int{"noop": 0, "one": 2, "roll": 20, "ports": 0, "hints": 0} {
		c, err := BenchCluster(kind, 1000)
		if err != nil {
			t.Fatal(err)
		}
		before := copies(c.Slices)
		ref, err := NewReference(c).Reconcile(c, c.selected(), c.live())
		if err != nil {
			t.Fatal(err)
		}
		ours := must(t, c, BySlicewright)
		if len(ours) > len(ref) || (len(ours) == 0) != (kind == "noop" || kind == "hints") {
			t.Errorf("%s: %d and %d writes", kind, len(ref), len(ours))
		}
		if n := newLimit(c, c.selected()).different(); n != different {
			t.Errorf("%s: the limit finds %d differences, want %d", kind, n, different)
		}
		w := &Worker{weights: c.weights()}
		for range 2 {
			same, err := w.Reconcile(c, c.selected())
			if err != nil || !cmp.Equal(same, ours) {
				t.Errorf("%s: on Pods that are selected: %v %s", kind, err, cmp.Diff(ours, same))
			}
		}
		for i, s := range c.Slices {
			if describeSlice(s) != describeSlice(before[i]) {
				t.Errorf("%s: %s was changed", kind, s.Name)
			}
		}
	}
	if c, err := BenchCluster("hints", 1000); err != nil || c.Slices[0].Endpoints[0].Hints == nil {
		t.Errorf("hints: the slices have none, error %v", err)
	}
}

// TestLimitReadsEverything changes one thing at a time of what Kubernetes publishes.
func TestLimitReadsEverything(t *testing.T) {
	for name, change := range map[string]func(*corev1.Pod, *discoveryv1.Endpoint){
		"phase":       func(p *corev1.Pod, _ *discoveryv1.Endpoint) { p.Status.Phase = corev1.PodFailed },
		"ready":       func(p *corev1.Pod, _ *discoveryv1.Endpoint) { p.Status.Conditions[1].Status = corev1.ConditionFalse },
		"terminating": func(p *corev1.Pod, _ *discoveryv1.Endpoint) { p.DeletionTimestamp = new(metav1.Now()) },
		"address":     func(p *corev1.Pod, _ *discoveryv1.Endpoint) { p.Status.PodIPs[0].IP = "10.9.9.9" },
		"uid":         func(p *corev1.Pod, _ *discoveryv1.Endpoint) { p.UID = "another" },
		"node":        func(p *corev1.Pod, _ *discoveryv1.Endpoint) { p.Spec.NodeName = "node-9" },
		"hostname":    func(p *corev1.Pod, _ *discoveryv1.Endpoint) { p.Spec.Hostname = "web" },
		"zone":        func(_ *corev1.Pod, e *discoveryv1.Endpoint) { e.Zone = new("elsewhere") },
		"condition":   func(_ *corev1.Pod, e *discoveryv1.Endpoint) { e.Conditions.Serving = new(false) },
		"target":      func(_ *corev1.Pod, e *discoveryv1.Endpoint) { e.TargetRef.Namespace = "elsewhere" },
	} {
		c, err := BenchCluster("noop", 100)
		if err != nil {
			t.Fatal(err)
		}
		l := newLimit(c, c.selected())
		change(l.pods[7], l.endpoints[7])
		if n := l.different(); n != 1 {
			t.Errorf("%s: the limit finds %d differences, want 1", name, n)
		}
	}
}

// TestMeasure checks that the figures are of the operations, each of its own.
func TestMeasure(t *testing.T) {
	var sink []byte
	f := Measure(2, time.Millisecond, func() {}, func() { sink = make([]byte, 1<<20) })
	if f[0].Bytes > 1<<10 || f[1].Bytes < 1<<20 || f[1].Allocs < 1 || f[1].CPU <= 0 || len(sink) == 0 {
		t.Errorf("%+v", f)
	}
}
