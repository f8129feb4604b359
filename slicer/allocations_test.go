//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations of pooled memory cannot be counted under it.

package slicer_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
)

// TestAllocations holds the bars on memory: one allocation per slice at most, and none per endpoint, where nothing is
// written; and a number per slice that does not depend on how many endpoints it has, where everything is.
func TestAllocations(t *testing.T) {
	const n = 10000
	for name, in := range map[string]given.World{"in order": gen.Service(n), "shuffled": gen.Shuffled(gen.Service(n))} {
		if have, bar := testing.AllocsPerRun(5, func() { compute(t, in) }), float64(n/100); have > bar {
			t.Errorf("%d endpoints %s: %.0f allocations, want at most %.0f", n, name, have, bar)
		}
	}
	for _, mode := range []hints.Mode{hints.None, hints.SameZone, hints.SameNode} {
		perSlice := func(size int) float64 {
			in := gen.First(gen.Service(20 * size))
			in.Options.MaxEndpointsPerSlice, in.Options.Hints.Mode = size, mode
			return testing.AllocsPerRun(5, func() { compute(t, in) }) / 20
		}
		if small, large := perSlice(10), perSlice(1000); large > small+2 || large > 26 {
			t.Errorf("hints %v: a created slice costs %.1f allocations with 10 endpoints and %.1f with 1000", mode, small, large)
		}
	}
}

// TestMovesAllocations bounds how often a plan of few writes allocates when slices have many endpoints: those that change
// their ports or stay are listed only where one of them may go missing. %[1]s stands for 900 endpoints, and %[2]s for others.
func TestMovesAllocations(t *testing.T) {
	for _, c := range []struct {
		why, world string
		most       float64 // allocations; a list or map of the endpoints costs 20 or more
	}{
		{"a slice takes its endpoints along to new ports", `
slices
web-a | old:79 | %[1]s
web-b | alt:81 | 10.0.0.1

want
http:80 | %[1]s
alt:81 | 10.0.0.2`, 145},
		{"endpoints on new ports are created, others stay", `
slices
web-a | http:80 | %[1]s
web-b | alt:81 | 10.0.0.1
web-c | more:82 | 10.0.0.2

want
http:80 | %[1]s %[2]s
alt:81 | 10.0.0.3
more:82 | 10.0.0.4`, 153},
		{"one slice is updated, which needs no order", `
slices
web-a | old:79 | %[1]s

want
http:80 | %[2]s`, 95},
	} {
		list := func(second int) (list string) {
			for third := range 90 {
				list += fmt.Sprintf(" 10.%d.%d.1..10", second, third)
			}
			return list
		}
		in := input(t, "options max=1000\n"+fmt.Sprintf(c.world, list(1), list(2)))
		if have := testing.AllocsPerRun(5, func() { compute(t, in) }); have > c.most {
			t.Errorf("%s: %.0f allocations, want at most %.0f", c.why, have, c.most)
		}
	}
}

// TestForeignSlicesCostNothing: ten thousand slices of other parents cost no allocation, and the plan does not list them.
func TestForeignSlicesCostNothing(t *testing.T) {
	in := gen.Service(3)
	alone := testing.AllocsPerRun(20, func() { compute(t, in) })
	for i := range 10000 {
		s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
		s.Namespace, s.Name = in.Set.Namespace, fmt.Sprintf("other-%d", i)
		s.Labels = map[string]string{discoveryv1.LabelServiceName: fmt.Sprintf("other-%d", i/2)}
		in.Existing = append(in.Existing, s)
	}
	if among := testing.AllocsPerRun(20, func() { compute(t, in) }); among > alone {
		t.Errorf("%.0f allocations alone, %.0f among others", alone, among)
	}
	plan, err := in.Compute()
	if err != nil || len(plan.Ignored) > 0 {
		t.Errorf("%v, %d slices of others are ignored", err, len(plan.Ignored))
	}
}
