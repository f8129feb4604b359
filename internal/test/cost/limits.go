// Package cost has calls of the library with inputs that are made to be slow, to count what they
// cost: no input costs more than its size (G11).
package cost

import (
	"fmt"
	"maps"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// Input makes an input of about n endpoints, slices, or whatever the case is about, and returns the
// call that gets it.
type Input func(n int) (call func())

// Cases are all, by name.
func Cases() map[string]Input {
	cases := writers()
	for _, more := range []map[string]Input{readers(), limits(), policies(), served()} {
		maps.Copy(cases, more)
	}
	return cases
}

// must is for calls whose arguments are right.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ptr[T any](v T) *T { return &v }

// shape is how an input of hints with a limit grows.
type shape struct {
	endpoints, zones int                           // quarters of n; at least a dozen and three
	heavy            int64                         // the weight of the first zone beside about ten of any other
	home             func(i, zones int) (zone int) // of an endpoint; -1: none
	hinted           func(i, zones int) []int      // the zones that an endpoint is hinted to
}

// limits are calls of hints with a limit, in which zones, slices, endpoints and hints grow, alone
// and two together.
func limits() map[string]Input {
	all := func(i, zones int) int { return i % zones }
	half := func(i, zones int) int { return i % (1 + zones/2) }
	light := func(i, zones int) int { return max(i%zones, min(1, i)) }
	nowhere := func(int, int) int { return -1 }
	none := func(int, int) []int { return nil }
	anyOf := func(i, zones int) []int {
		list := []int{half(i, zones)}
		for k := 1; k < 8; k++ {
			if z := (i*i*k + i/zones*7 + k*k) % zones; !slices.Contains(list, z) {
				list = append(list, z)
			}
		}
		return list
	}
	first := func(i, zones int) []int { return slices.Compact([]int{0, i % zones}) }
	cases := map[string]Input{}
	for name, s := range map[string]shape{
		"many endpoints":                    {4, 0, 10, half, none},
		"many zones":                        {0, 4, 10, all, none},
		"many zones and endpoints":          {8, 1, 10, half, none},
		"one zone for each endpoint":        {4, 4, 10, all, none},
		"more zones than endpoints":         {1, 4, 10, all, none},
		"a zone that most traffic is from":  {4, 1, 10000, light, none},
		"a zone that half of it is from":    {4, 4, 10000, light, none},
		"endpoints without a zone":          {4, 1, 10, nowhere, none},
		"hints of all kinds":                {4, 1, 10, half, anyOf},
		"hints for one zone and the other":  {4, 4, 10, all, first},
		"hints of endpoints without a zone": {2, 1, 10, nowhere, anyOf},
	} {
		cases["limit: "+name] = s.input
	}
	return cases
}

func (s shape) input(n int) func() {
	count, all := max(12, n*s.endpoints/4), max(3, n*s.zones/4)
	o := hints.Options{Mode: hints.SameZone, Limit: 20, Weights: hints.Weights{Zones: map[string]int64{}}}
	for z := range all {
		o.Weights.Zones[zoneName(z)] = int64(10 + z%3)
	}
	o.Weights.Zones[zoneName(0)] = s.heavy
	in := make([]hints.Slice, 1+count/20)
	for i := range count {
		into := &in[i%len(in)]
		into.Name, into.Written = fmt.Sprint(i%len(in)), i%2 == 0
		e := discoveryv1.Endpoint{Addresses: []string{gen.Address(i)}}
		if z := s.home(i, all); z >= 0 {
			e.Zone = ptr(zoneName(z))
		}
		for _, z := range s.hinted(i, all) {
			if e.Hints == nil {
				e.Hints = &discoveryv1.EndpointHints{}
			}
			e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: zoneName(z)})
		}
		into.Endpoints = append(into.Endpoints, e)
	}
	return func() {
		_, d, err := hints.Assign(o, in)
		_ = must(d, err).String()
	}
}

func zoneName(z int) string { return fmt.Sprintf("z%d", z) }
