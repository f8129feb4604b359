package dedup_test

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/internal/test/bench"
)

// BenchmarkOnePort finds the endpoints of one port of a Service, each of which is in one slice or
// in two.
func BenchmarkOnePort(b *testing.B) {
	for _, family := range []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol} {
		for _, copies := range []int{1, 2} {
			b.Run("family="+string(family)+"/copies="+strconv.Itoa(copies), func(b *testing.B) {
				bench.Cases{Family: family}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
					lists := make([][]*discoveryv1.EndpointSlice, len(all))
					for i, s := range all {
						for range copies {
							lists[i] = append(lists[i], s.Hinted()...)
						}
						for n, slice := range lists[i] {
							slice.Name = strconv.Itoa(n)
						}
					}
					return func(i int) {
						found, problems := dedup.OnePort(lists[i], dedup.PortOptions{Port: "http"})
						if len(found) != len(all[i].Pods) || len(problems) > 0 {
							b.Fatal(len(found), " endpoints are found: ", problems)
						}
					}
				})
			})
		}
	}
}

// BenchmarkIndexReplace lists the slices of a Service into an empty Index and reads all of its
// deltas.
func BenchmarkIndexReplace(b *testing.B) {
	bench.Cases{}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		return func(i int) {
			ix := newIndex(dedup.Options{})
			ix.Replace(all[i].Slices)
			read := 0
			for _, delta := range portsOf(ix.Flush()) {
				for range delta.Added() {
					read++
				}
			}
			if read != len(all[i].Pods) {
				b.Fatal(read, " endpoints are added")
			}
		}
	})
}

// BenchmarkIndexUpsert shows an Index of all Services what a writer did to the slices of one of
// them: in turn the slices after the change and those before. If nothing changed, it shows the same
// slices again.
func BenchmarkIndexUpsert(b *testing.B) {
	bench.Cases{Changes: bench.Changes}.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
		ix := newIndex(dedup.Options{})
		before, after := make([][]*discoveryv1.EndpointSlice, len(all)), make([][]*discoveryv1.EndpointSlice, len(all))
		for i, s := range all {
			plan, err := s.Plan()
			s.Wrote(b, plan, err)
			for _, slice := range s.Slices {
				ix.Upsert(slice)
			}
			for _, step := range plan.Steps {
				step.New.ResourceVersion += "0" // as the API server counts
				before[i], after[i] = append(before[i], step.Old), append(after[i], step.New)
			}
			if s.Change == bench.Nothing {
				before[i], after[i] = s.Slices, s.Slices
			}
		}
		ix.Flush()
		return func(i int) {
			for _, slice := range after[i] {
				ix.Upsert(slice)
			}
			if deltas := portsOf(ix.Flush()); (len(deltas) == 0) != (all[i].Change == bench.Nothing) {
				b.Fatal(all[i].Change, " changed, and there are ", len(deltas), " deltas")
			}
			before[i], after[i] = after[i], before[i]
		}
	})
}
