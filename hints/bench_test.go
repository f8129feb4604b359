package hints_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/bench"
)

// BenchmarkAssign measures the modes that decide over all slices. Replaced Pods have no hint yet,
// and all slices that hold one are written anyway; where all are replaced, hints are put for the
// first time.
func BenchmarkAssign(b *testing.B) {
	cases := bench.Cases{Changes: []bench.Change{bench.Nothing, bench.OnePod, bench.Rolling, bench.AllPods}}
	for _, mode := range []struct {
		name    string
		options hints.Options
	}{
		{"proportional", hints.Options{Mode: hints.Proportional}},
		{"limit", hints.Options{Mode: hints.SameZone, Limit: 50}},
	} {
		b.Run("mode="+mode.name, func(b *testing.B) {
			cases.Run(b, func(b *testing.B, all []*bench.Sync) func(i int) {
				o := mode.options
				o.Weights = hints.NodeWeights(slices.Collect(maps.Values(all[0].Nodes)), nil)
				inputs := make([][]hints.Slice, len(all))
				for i, s := range all {
					inputs[i] = assigned(b, o, s)
				}
				return func(i int) {
					changes, _, err := hints.Assign(o, inputs[i])
					if err != nil || all[i].Change == bench.Nothing && len(changes) > 0 {
						b.Fatal(len(changes), " changes: ", err)
					}
				}
			})
		})
	}
}

// assigned returns the slices of a Service with the hints that they had before it changed.
func assigned(b *testing.B, o hints.Options, s *bench.Sync) []hints.Slice {
	var in []hints.Slice
	for _, slice := range s.Slices {
		in = append(in, hints.Slice{Name: slice.Name, Endpoints: slices.Clone(slice.Endpoints)})
	}
	changes, _, err := hints.Assign(o, in)
	if err != nil {
		b.Fatal(err)
	}
	in, _ = after(in, changes)
	every, n := len(s.Pods)/max(1, s.Change.Replaced(len(s.Pods))), 0
	for i := range in {
		for k := range in[i].Endpoints {
			if n++; s.Change != bench.Nothing && n%every == 0 {
				in[i].Written, in[i].Endpoints[k].Hints = true, nil
			}
		}
	}
	return in
}
