package routing_test

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// TestForecast divides the traffic of each source among the endpoints that Route returns for it,
// one source after the other.
func TestForecast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, at, policy := gen.Routing(t)
		from := []routing.Source{{Location: at, Weight: rapid.Int64Range(0, 9).Draw(t, "weight")}}
		for range rapid.IntRange(0, 6).Draw(t, "more sources") {
			name := func(label string) string {
				return rapid.SampledFrom([]string{"", "a", "a", "b", "x", "y"}).Draw(t, label)
			}
			place := routing.Location{NodeName: name("node"), Zone: name("zone"), Region: name("region")}
			from = append(from, routing.Source{Location: place, Weight: rapid.Int64Range(0, 1<<60).Draw(t, "weight")})
		}
		got, err := routing.Forecast(list, from, policy)
		mixed := false
		for _, e := range list {
			mixed = mixed || familyOf(e) != familyOf(list[0]) && !policy.AnyFamily
		}
		if (err != nil) != mixed {
			t.Fatalf("error %v, several address types %v", err, mixed)
		}
		if mixed {
			return
		}
		loads, across, served := make([]float64, len(list)), 0.0, 0.0
		var dropped []routing.Source
		for _, s := range from {
			used := routing.Route(list, s.Location, policy)
			if len(used) == 0 {
				dropped = append(dropped, s)
			}
			for _, e := range used {
				part := float64(s.Weight) / float64(len(used))
				loads[e.Port] += part
				if served += part; e.Zone != s.Location.Zone || e.Zone == "" {
					across += part
				}
			}
		}
		everywhere := policy
		everywhere.Local = false
		fair := float64(len(routing.Route(list, routing.Location{}, everywhere)))
		if served == 0 {
			fair, served = 0, 1
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, b) }
		for i := range loads {
			if want := loads[i] * fair / served; !near(got.Endpoints[i], want) {
				t.Fatalf("load of %d is %v, want %v", i, got.Endpoints[i], want)
			}
		}
		if !near(got.CrossZone, across/served) || fmt.Sprint(got.Dropped) != fmt.Sprint(dropped) {
			t.Fatalf("got %+v, want %v across, dropped %v", got, across/served, dropped)
		}
	})
}

// TestForecastMistakes: each is an error that says where.
func TestForecastMistakes(t *testing.T) {
	_, err := routing.Forecast([]dedup.Endpoint{{FQDN: "a"}, {}}, []routing.Source{{Weight: 1}, {Weight: -1}}, routing.Policy{})
	if err == nil || !strings.Contains(err.Error(), "from[1].weight") || !strings.Contains(err.Error(), "endpoints[1]") {
		t.Errorf("got %v", err)
	}
}

// Three Pods in two zones, hinted to their own: the Pod that is alone gets half of the traffic.
func ExampleForecast() {
	endpoints := []dedup.Endpoint{hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"), hinted("10.0.0.3", "zone-b")}
	from := []routing.Source{{Location: routing.Location{Zone: "zone-a"}, Weight: 1},
		{Location: routing.Location{Zone: "zone-b"}, Weight: 1}}
	for _, policy := range []routing.Policy{{}, {IgnoreHints: true}} {
		load, err := routing.Forecast(endpoints, from, policy)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(load.Endpoints, "across zones", load.CrossZone)
	}
	// Output:
	// [1.5 0.75 0.75] across zones 0
	// [1 1 1] across zones 0.5
}

func hinted(address, zone string) dedup.Endpoint {
	e := dedup.Endpoint{Address: netip.MustParseAddr(address), Port: 80, Zone: zone}
	e.Conditions.Ready = true
	e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
	return e
}
