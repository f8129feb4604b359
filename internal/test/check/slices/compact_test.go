package slices_test

import (
	"testing"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// TestChecksFindOtherPackings judges plans made under other options, each good under its own, by Compact's rules.
func TestChecksFindOtherPackings(t *testing.T) {
	under := func(in given.World, o slicer.Options) given.World {
		o.MaxEndpointsPerSlice = in.Options.MaxEndpointsPerSlice
		in.Options = o
		return in
	}
	compact := slicer.Options{Packing: slicer.Compact}
	dirty := world(4, wants{80: {1, 2, 3}}, at("a", "1", 80, 1, 2, 50), at("b", "2", 80, 3, 51))
	for _, c := range []struct {
		why         string
		in          given.World
		made, asked slicer.Options
		corrupt     func(p *slicer.Plan)
	}{
		{"a slice gives one endpoint to another that is written, and stays", dirty, slicer.Options{}, compact,
			func(p *slicer.Plan) { give(p, "a", "b", 2) }},
		{"a slice gives up its endpoints that need not be written", world(4, wants{80: {1, 2}}, at("a", "1", 80, 1, 50), at("b", "2", 80, 2)),
			compact, compact, func(p *slicer.Plan) {
				a, b := update(p, "a"), p.Unchanged[0]
				a.New.Endpoints = append(a.New.Endpoints, *b.Endpoints[0].DeepCopy())
				p.Unchanged = nil
				p.Steps = append(p.Steps, slicer.Step{
					Verb: slicer.Delete, Old: b, Removed: 1, Reasons: []slicer.Reason{slicer.Dissolved, slicer.Compacted},
				})
				forget(p)
			}},
		{"a slice dissolves that is too full", dirty, compact, slicer.Options{Packing: slicer.Compact, DissolveUpTo: 24}, nil},
	} {
		p := plan(t, under(c.in, c.made))
		if err := check.Plan(under(c.in, c.made), p); err != nil {
			t.Fatalf("%s: the plan is good: %v", c.why, err)
		}
		if c.corrupt != nil {
			c.corrupt(&p)
		}
		if err := check.Plan(under(c.in, c.asked), p); !check.Breaks(err, "Compact") {
			t.Errorf("%s: not noticed: %v", c.why, err)
		}
	}
}
