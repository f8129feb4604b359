package slicer_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// TestDecisionNamesRefusedHints: SameZone and SameNode name the zones and Nodes that cannot be hints, each address type its own.
func TestDecisionNamesRefusedHints(t *testing.T) {
	for _, mode := range []hints.Mode{hints.SameZone, hints.SameNode} {
		in := input(t, "want\nipv4 http:80 | 10.0.0.1{zone=\"zone a\"} 10.0.0.2{zone=z2}\nipv6 http:80 | fd00::1{zone=z1}\n")
		in.Options.Hints.Mode = mode
		plan := planned(t, in)
		named := map[discoveryv1.AddressType][]string{}
		for _, d := range plan.Hints {
			if (d.Reason == hints.InvalidName) != (len(d.Names) > 0) {
				t.Errorf("%v: reason %v with names %v", mode, d.Reason, d.Names)
			}
			named[d.AddressType] = d.Names
		}
		if !slices.Equal(named[discoveryv1.AddressTypeIPv4], []string{"zone a"}) || len(named[discoveryv1.AddressTypeIPv6]) > 0 || len(named) != 2 {
			t.Errorf("%v: named %v", mode, named)
		}
	}
}
