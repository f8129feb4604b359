//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations of pooled memory cannot be counted under it.

package slicer_test

import (
	"fmt"
	"testing"
)

// TestMovesAllocations: how often a plan allocates depends on the slices, and not on how many endpoints these have: endpoints
// on new ports are listed only where one of them may go missing. %[1]s stands for many of them, and %[2]s for others.
func TestMovesAllocations(t *testing.T) {
	for why, world := range map[string]string{
		"a slice takes its endpoints along to new ports": `
slices
web-a | old:79 | %[1]s
web-b | alt:81 | 10.0.0.1

want
http:80 | %[1]s
alt:81 | 10.0.0.2`,
		"endpoints on new ports are created": `
slices
web-a | http:80 | %[1]s
web-b | alt:81 | 10.0.0.1
web-c | more:82 | 10.0.0.2

want
http:80 | %[1]s %[2]s
alt:81 | 10.0.0.3
more:82 | 10.0.0.4`,
		"one slice is updated, which needs no order": `
slices
web-a | old:79 | %[1]s

want
http:80 | %[2]s`,
	} {
		allocations := func(n int) float64 {
			list := func(second int) (list string) {
				for third := range n {
					list += fmt.Sprintf(" 10.%d.%d.1..10", second, third)
				}
				return list
			}
			in := input(t, "options max=1000\n"+fmt.Sprintf(world, list(1), list(2)))
			return testing.AllocsPerRun(5, func() { compute(t, in) })
		}
		if few, many := allocations(1), allocations(90); many > few+20 {
			t.Errorf("%s: %.0f allocations for few endpoints, %.0f for many", why, few, many)
		}
	}
}
