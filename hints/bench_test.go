package hints_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// BenchmarkAssign measures, over slices of 100 endpoints in three zones:
//
//	clean  nothing changes
//	jump   the CPU of one zone doubled: slices must be opened
//	first  no endpoint has a hint yet
//	roll   one slice is written anyway
func BenchmarkAssign(b *testing.B) {
	equal, doubled := proportional("100,100,100", ""), proportional("100,100,200", "")
	cases := []struct {
		name   string
		before hints.Options
		after  hints.Options
	}{
		{"clean", equal, equal},
		{"jump", equal, doubled},
		{"first", hints.Options{}, equal},
		{"roll", equal, equal},
	}
	for _, bc := range cases {
		for _, n := range gen.Sizes {
			b.Run(fmt.Sprintf("mode=proportional/case=%s/n=%d", bc.name, n), func(b *testing.B) {
				in := cluster(n)
				changes, _, err := hints.Assign(bc.before, in)
				if err != nil {
					b.Fatal(err)
				}
				in, _ = after(in, changes)
				if bc.name == "roll" {
					in[0].Written = true
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := hints.Assign(bc.after, in); err != nil {
						b.Fatal(err)
					}
				}
				gen.PerEndpoint(b, n)
			})
		}
	}
}

// cluster is n ready endpoints in zones a, b and c in turn, 100 per slice, each in memory of its own as a decoder leaves it.
func cluster(n int) []hints.Slice {
	var in []hints.Slice
	for i := range n {
		if i%100 == 0 {
			in = append(in, hints.Slice{Name: fmt.Sprintf("web-%05d", i/100)})
		}
		s := &in[len(in)-1]
		s.Endpoints = append(s.Endpoints, endpointIn(string(rune('a'+i%3)), gen.Address(i)))
	}
	return in
}
