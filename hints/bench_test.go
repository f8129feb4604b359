package hints_test

import (
	"fmt"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

func BenchmarkFloor(b *testing.B) {
	for _, n := range gen.Sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { gen.Floor(b, n) })
	}
}

// BenchmarkAssign measures, over slices of 100 endpoints in three zones:
//
//	clean  nothing changes
//	jump   the CPU of one zone doubled: slices must be opened
//	pair   at n=10000 any two slices must be opened: the longest search
//	first  no endpoint has a hint yet
//	roll   one slice is written anyway
//	off    a Node has no zone, and no endpoint has a hint
func BenchmarkAssign(b *testing.B) {
	equal, doubled := proportional("100,100,100", ""), proportional("100,100,200", "")
	cases := []struct {
		name   string
		before hints.Options
		after  hints.Options
	}{
		{"clean", equal, equal},
		{"jump", equal, doubled},
		{"pair", equal, proportional("100,100,140", "")},
		{"first", hints.Options{}, equal},
		{"roll", equal, equal},
		{"off", hints.Options{}, equal},
	}
	cases[5].after.Weights.Problems = []hints.Problem{{Node: "n1", Reason: hints.NodeWithoutZone}}
	for _, bc := range cases {
		for _, n := range gen.Sizes {
			b.Run(fmt.Sprintf("mode=proportional/case=%s/n=%d", bc.name, n), func(b *testing.B) {
				in := apart(cluster(n))
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

// cluster is n ready endpoints in zones a, b and c in turn, 100 per slice.
func cluster(n int) []hints.Slice {
	var in []hints.Slice
	for i := range n {
		if i%100 == 0 {
			in = append(in, hints.Slice{Name: fmt.Sprintf("web-%05d", i/100)})
		}
		ready, zone := true, string(rune('a'+i%3))
		s := &in[len(in)-1]
		s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
			Addresses:  []string{gen.Address(i)},
			Conditions: discoveryv1.EndpointConditions{Ready: &ready},
			Zone:       &zone,
		})
	}
	return in
}

// apart gives every endpoint memory of its own, as a decoder does.
func apart(in []hints.Slice) []hints.Slice {
	for i := range in {
		for k := range in[i].Endpoints {
			e := in[i].Endpoints[k].DeepCopy()
			zone := strings.Clone(*e.Zone)
			e.Zone = &zone
			in[i].Endpoints[k] = *e
		}
	}
	return in
}
