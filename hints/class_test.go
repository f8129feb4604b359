package hints_test

import (
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// TestManyZones: with more zones than a table of pairs is made for, everybody still gets the zone that is best.
func TestManyZones(t *testing.T) {
	for _, zones := range []int{63, 64, 70} {
		c := proportional("10,10,10", "")
		c.Weights = hints.Weights{Zones: map[string]int64{}}
		in := []hints.Slice{{Name: "s", Written: true}}
		for z := range zones {
			zone := fmt.Sprintf("zone-%02d", z)
			c.Weights.Zones[zone] = 1
			for k := range 2 {
				in[0].Endpoints = append(in[0].Endpoints, discoveryv1.Endpoint{
					Addresses: []string{fmt.Sprintf("10.0.%d.%d", z, k)}, Zone: &zone,
				})
			}
		}
		lent := "zone-00"
		in[0].Endpoints[len(in[0].Endpoints)-1].Zone = &lent // so that one zone has three and another one
		changes, d := checkAll(t, c, in)
		if !d.On || len(changes) != 2*zones {
			t.Fatalf("%d zones: %d changes\n%v", zones, len(changes), d)
		}
		away := 0
		for _, change := range changes {
			if change.Hint.Zone != *in[0].Endpoints[change.Endpoint].Zone {
				away++
			}
		}
		if away != 1 {
			t.Errorf("%d zones: %d endpoints away from home, want 1", zones, away)
		}
	}
}
