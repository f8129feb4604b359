package hints_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	check "github.com/slicewright/slicewright/internal/test/check/hints"
)

// P14: what is written for a zone is what a reader in that zone uses, no more and no less; a reader elsewhere, and
// everybody while hints are off, uses all ready endpoints.
func TestReadersUseWhatIsHintedToThem(t *testing.T) {
	on := 0
	rapid.Check(t, func(t *rapid.T) {
		c, in := drawConfig(t, hints.Proportional), drawSlices(t)
		changes, d, err := hints.Assign(c, in)
		if err != nil {
			t.Fatal(err)
		}
		hinted, all := map[string][]string{}, []string(nil)
		var endpoints []*discoveryv1.Endpoint
		for _, s := range check.After(in, changes) {
			for k := range s.Endpoints {
				e := &s.Endpoints[k]
				endpoints = append(endpoints, e)
				if e.Conditions.Ready != nil && !*e.Conditions.Ready {
					continue
				}
				all = append(all, e.Addresses[0])
				if e.Hints != nil {
					hinted[e.Hints.ForZones[0].Name] = append(hinted[e.Hints.ForZones[0].Name], e.Addresses[0])
				}
			}
		}
		if d.On {
			on++
		}
		for _, zone := range []string{"a", "b", "c", "d", "e", "x", ""} {
			want := all
			if _, weighted := c.Weights.Zones[zone]; d.On && weighted {
				want = hinted[zone]
			}
			if len(all) == 0 {
				continue // readers then look for endpoints that terminate
			}
			routes := hints.Route(endpoints, ipv4, hints.Location{NodeName: "n9", Zone: zone}, hints.Policy{})
			var got []string
			for _, e := range routes.Cluster {
				got = append(got, e.Addresses[0])
			}
			if !slices.Equal(got, want) {
				t.Fatalf("a reader in zone %q uses %v, want %v\n%v", zone, got, want, d)
			}
		}
	})
	if on == 0 && !testing.Short() {
		t.Error("hints were never on: nothing was tested")
	}
}
