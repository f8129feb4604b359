//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations of pooled memory cannot
// be counted under it.

package slicer_test

import (
	"fmt"
	"runtime"
	"testing"
	"weak"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestAllocations holds the bars on memory: one allocation per slice at most, and none per
// endpoint, where nothing is written; and a number per slice that does not depend on how many
// endpoints it has, where everything is.
func TestAllocations(t *testing.T) {
	nightly.Slow(t)
	const n = 10000
	for name, in := range map[string]gen.World{"in order": gen.Service(n), "shuffled": gen.Shuffled(gen.Service(n))} {
		if have, bar := testing.AllocsPerRun(5, func() { compute(t, in) }), float64(n/100); have > bar {
			t.Errorf("%d endpoints %s: %.0f allocations, want at most %.0f", n, name, have, bar)
		}
	}
	for _, mode := range []hints.Mode{hints.None, hints.PreferSameZone, hints.PreferSameNode} {
		perSlice := func(size int) float64 {
			in := gen.First(gen.Service(20 * size))
			in.Options.MaxEndpointsPerSlice, in.Hints.Mode = size, mode
			return testing.AllocsPerRun(5, func() { compute(t, in) }) / 20
		}
		if small, large := perSlice(10), perSlice(1000); large > small+2 || large > 26 {
			t.Errorf("hints %v: a created slice costs %.1f allocations with 10 endpoints and %.1f with 1000", mode,
				small, large)
		}
	}
}

// TestForeignSlicesCostNothing: ten thousand slices of other parents cost no allocation, and the
// plan does not list them.
func TestForeignSlicesCostNothing(t *testing.T) {
	in := gen.Service(3)
	alone := testing.AllocsPerRun(20, func() { compute(t, in) })
	for i := range 10000 {
		s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
		s.Namespace, s.Name = in.Key.Namespace, fmt.Sprintf("other-%d", i)
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

func compute(t testing.TB, in gen.World) {
	if _, err := in.Compute(); err != nil {
		t.Fatal(err)
	}
}

// TestComputeKeepsNothing: what Compute was given can be collected afterwards, because its pooled
// memory holds no pointer to it.
func TestComputeKeepsNothing(t *testing.T) {
	const world = `
slices
web-a | http:80 | 10.0.0.1 10.0.0.2
web-b | old:81 | 10.0.0.3

want
http:80 | 10.0.0.1 10.0.0.3 10.0.0.4
`
	gone := func() (weak.Pointer[slicer.Endpoint], weak.Pointer[discoveryv1.EndpointSlice],
		weak.Pointer[discoveryv1.Endpoint]) {
		in, err := scenario.Input(world)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Compute(); err != nil {
			t.Fatal(err)
		}
		return weak.Make(&in.Groups[0].Endpoints[0]), weak.Make(in.Existing[0]), weak.Make(&in.Existing[1].Endpoints[0])
	}
	wanted, slice, held := gone()
	runtime.GC() // a pool lets go of what it has only after the second
	if wanted.Value() != nil || slice.Value() != nil || held.Value() != nil {
		t.Error("still alive:", wanted.Value() != nil, slice.Value() != nil, held.Value() != nil)
	}
}
