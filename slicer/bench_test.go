package slicer_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
)

// benchCases are what a controller meets in life. Where nothing else is said the wanted endpoints are in the order of the
// slices, as the Pods of a lister that was filled in the order of their creation.
var benchCases = []struct {
	name   string
	input  func(n int) given.World
	writes func(n int) int
}{
	{"noop", gen.Service, none},
	{"noop-shuffled", func(n int) given.World { return gen.Shuffled(gen.Service(n)) }, none},
	{"roll", func(n int) given.World { return gen.Rolled(gen.Service(n)) }, perHundred},
	{"ports", func(n int) given.World { return gen.Reported(gen.Service(n)) }, perHundred},
	{"first", func(n int) given.World { return gen.First(gen.Service(n)) }, perHundred},
}

func none(int) int         { return 0 }
func perHundred(n int) int { return n / 100 }

// BenchmarkCompute measures one plan.
func BenchmarkCompute(b *testing.B) {
	for _, c := range benchCases {
		for _, n := range gen.Sizes {
			b.Run(fmt.Sprintf("case=%s/n=%d", c.name, n), func(b *testing.B) {
				in := c.input(n)
				b.ReportAllocs()
				for b.Loop() {
					plan, err := in.Compute()
					if err != nil || len(plan.Steps) != c.writes(n) {
						b.Fatalf("%d steps, error %v", len(plan.Steps), err)
					}
				}
				gen.PerEndpoint(b, n)
			})
		}
	}
}

func compute(t testing.TB, in given.World) {
	if _, err := in.Compute(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkHostile measures inputs made to be slow: ns/endpoint must not grow with n (G11).
func BenchmarkHostile(b *testing.B) {
	for _, c := range gen.Hostile {
		for _, n := range []int{1000, 4000} {
			b.Run(fmt.Sprintf("case=%s/n=%d", c.Name, n), func(b *testing.B) {
				in := c.Input(n)
				b.ReportAllocs()
				for b.Loop() {
					compute(b, in)
				}
				gen.PerEndpoint(b, n)
			})
		}
	}
}
