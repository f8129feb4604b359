//go:build !race

// The race detector makes sync.Pool forget on purpose, so that allocations cannot be counted.

package routing_test

import (
	"testing"

	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/bench"
)

// TestRouteAllocates nothing but the result: its lists, and the rows of the families; and Failover
// the tiers, and all of their endpoints in one piece.
func TestRouteAllocates(t *testing.T) {
	list := bench.EndpointsOf(bench.Services(1, 300, "")[0].Hinted())
	at := routing.Location{NodeName: "node-3", Zone: "b"}
	for _, row := range []struct {
		why    string
		at     routing.Location
		policy routing.Policy
		want   float64
	}{
		{"by hints", at, routing.Policy{}, 2},
		{"by place", at, routing.Policy{Near: routing.Node | routing.Zone, AtLeast: 2}, 2},
		{"each target once", at, routing.Policy{AnyFamily: true}, 2},
		{"nothing there", routing.Location{NodeName: "x"}, routing.Policy{Local: true}, 1},
	} {
		if got := testing.AllocsPerRun(100, func() { routing.Route(list, ipv4, row.at, row.policy) }); got > row.want {
			t.Errorf("%s: %v allocations, want %v", row.why, got, row.want)
		}
	}
	if got := testing.AllocsPerRun(100, func() { routing.Failover(list, ipv4, at, routing.Policy{}) }); got > 2 {
		t.Errorf("Failover: %v allocations, want 2", got)
	}
}
