package forecast_test

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// TestForecastAgainstFractions divides the traffic of each source in fractions, one source after
// the other. That sources reach the right endpoints is for kube-proxy's code to say
// (internal/test/conformance).
func TestForecastAgainstFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		candidates, at, policy := gen.Routing(t)
		list := make([]int, len(candidates))
		for i := range list {
			list[i], candidates[i].AddressType = i, "IPv4"
			if candidates[i].TargetRef != nil { // all endpoints of a target are in one place
				candidates[i].NodeName, candidates[i].Zone, candidates[i].Region = "", "", ""
			}
		}
		candidate := func(i int) routing.Candidate { return candidates[i] }
		from := []forecast.Source{{Location: at, Weight: rapid.Int64Range(0, 9).Draw(t, "weight")}}
		for range rapid.IntRange(0, 6).Draw(t, "more sources") {
			name := func(label string) string {
				return rapid.SampledFrom([]string{"", "a", "a", "b", "x"}).Draw(t, label)
			}
			place := routing.Location{NodeName: name("node"), Zone: name("zone"), Region: name("region")}
			from = append(from, forecast.Source{Location: place,
				Weight: rapid.Int64Max(1<<36).Filter(func(w int64) bool { return w >= 0 }).Draw(t, "weight")})
		}
		got, err := forecast.Forecast(list, candidate, from, policy)
		if err != nil {
			t.Fatal(err)
		}
		loads, across, served := make([]*big.Rat, len(list)), new(big.Rat), new(big.Rat)
		for i := range loads {
			loads[i] = new(big.Rat)
		}
		var dropped []int
		for n, s := range from {
			r := routing.Route(list, candidate, s.Location, policy)
			if len(r.Endpoints) == 0 {
				dropped = append(dropped, n)
				continue
			}
			part := big.NewRat(s.Weight, int64(len(r.Endpoints)))
			for _, e := range r.Endpoints {
				loads[e].Add(loads[e], part)
				if served.Add(served, part); candidates[e].Zone != s.Zone || s.Zone == "" {
					across.Add(across, part)
				}
			}
		}
		fair := 0 // endpoints among which fair shares are
		once := routing.Explain(list, candidate, routing.Location{}, routing.Policy{AnyFamily: policy.AnyFamily})
		for _, counts := range []func(c routing.Candidate) bool{
			func(c routing.Candidate) bool { return c.State.Ready },
			func(c routing.Candidate) bool { return c.State.Serving && c.State.Terminating },
			func(c routing.Candidate) bool { return !c.State.Terminating },
		} {
			if fair == 0 {
				fair = len(keep(list, func(i int) bool {
					return counts(candidates[i]) && once[i].Why != routing.OtherAddress
				}))
			}
		}
		worst := -1
		for i, load := range loads {
			want := int64(-10000)
			if load.Sign() > 0 {
				want = ceil(load.Mul(load, big.NewRat(int64(fair)*10000, 1)).Quo(load, served)) - 10000
				if worst < 0 || got.Loads[i] > got.Loads[worst] {
					worst = i
				}
			}
			if off := want - int64(got.Loads[i]); off < 0 || off > 1 {
				t.Fatalf("load of %d is %v, want %v: %+v", i, got.Loads[i], forecast.Overload(want), got)
			}
		}
		want := int64(0)
		if served.Sign() > 0 {
			want = ceil(across.Mul(across, big.NewRat(10000, 1)).Quo(across, served))
		}
		if off := want - int64(got.Across); off < 0 || off > 1 || got.Worst != worst ||
			!slices.Equal(got.Dropped, dropped) {
			t.Fatalf("got %+v, want %d across, worst %d, dropped %v", got, want, worst, dropped)
		}
	})
}

func ceil(r *big.Rat) int64 {
	up := new(big.Int).Sub(r.Denom(), big.NewInt(1))
	return new(big.Int).Div(up.Add(up, r.Num()), r.Denom()).Int64()
}

// TestForecastMistakes: each is an error that says what to do.
func TestForecastMistakes(t *testing.T) {
	list := []discoveryv1.AddressType{"IPv4", "IPv6"}
	typed := func(t discoveryv1.AddressType) routing.Candidate { return routing.Candidate{AddressType: t} }
	for _, row := range []struct {
		candidate func(discoveryv1.AddressType) routing.Candidate
		policy    routing.Policy
		weights   []int64
		fields    []string
	}{
		{nil, routing.Policy{}, nil, []string{"candidate"}},
		{typed, routing.Policy{}, nil, []string{"endpoints[1]"}},
		{typed, routing.Policy{AnyFamily: true}, []int64{0, 1 << 40}, nil},
		{typed, routing.Policy{AnyFamily: true}, []int64{-1, 1 << 40, 1}, []string{"from[0].weight", "from[2].weight"}},
	} {
		var from []forecast.Source
		for _, w := range row.weights {
			from = append(from, forecast.Source{Weight: w})
		}
		got, err := forecast.Forecast(list, row.candidate, from, row.policy)
		if fields := fieldsOf(t, err); !slices.Equal(fields, row.fields) || err != nil && got.Loads != nil {
			t.Errorf("%v: %v, %v", row.weights, fields, got)
		}
	}
}

// Three Pods in two zones, hinted to their own: the Pod that is alone gets half of the traffic.
func ExampleForecast() {
	endpoints := []*discoveryv1.Endpoint{hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"),
		hinted("10.0.0.3", "zone-b")}
	for _, e := range endpoints {
		e.Zone = &e.Hints.ForZones[0].Name
	}
	from := []forecast.Source{{Location: routing.Location{Zone: "zone-a"}, Weight: 1},
		{Location: routing.Location{Zone: "zone-b"}, Weight: 1}}
	for _, policy := range []routing.Policy{{}, {IgnoreHints: true}} {
		t, err := forecast.Forecast(endpoints, ipv4, from, policy)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(t.Loads, "worst", endpoints[t.Worst].Addresses[0], "across", t.Across)
	}
	// Output:
	// [+50.00% -25.00% -25.00%] worst 10.0.0.1 across 0
	// [0% 0% 0%] worst 10.0.0.1 across 5000
}

// ipv4 reads what a reader must know of an endpoint.
var ipv4 = routing.CandidatesOf(discoveryv1.AddressTypeIPv4)

func hinted(address, zone string) *discoveryv1.Endpoint {
	return &discoveryv1.Endpoint{
		Addresses: []string{address},
		Hints:     &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}},
	}
}

func keep[E any](list []E, want func(E) bool) (kept []E) {
	for _, e := range list {
		if want(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// fieldsOf returns the fields of joined *field.Errors; each must say more than that something is
// wrong.
func fieldsOf(t *testing.T, err error) (fields []string) {
	if err == nil {
		return nil
	}
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var f *field.Error
		if !errors.As(e, &f) || f.Detail == "" {
			t.Fatalf("%v is no *field.Error that says what to do", e)
		}
		fields = append(fields, f.Field)
	}
	return fields
}
