package cost

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// policies are calls of package routing and forecast with each field of a Policy, in which
// endpoints, places and sources grow.
func policies() map[string]Input {
	cases := map[string]Input{}
	near := routing.Node | routing.Zone | routing.Region
	for name, p := range map[string]routing.Policy{
		"Local":       {Local: true},
		"Near":        {Near: near},
		"AtLeast":     {Near: near, AtLeast: 1 << 30},
		"LastResort":  {LastResort: true},
		"AnyFamily":   {AnyFamily: true},
		"IgnoreHints": {IgnoreHints: true},
		"all":         {Near: near, AtLeast: 3, LastResort: true, AnyFamily: true},
	} {
		for kind, places := range map[string]int{"one place": 0, "many places": 1} {
			with := "with " + name + " over " + kind
			at, same := placeOf(0), func(c routing.Candidate) routing.Candidate { return c }
			cases["Route "+with] = func(n int) func() {
				in := candidates(n, places)
				return func() { routing.Route(in, same, at, p) }
			}
			cases["Failover "+with] = func(n int) func() {
				in := candidates(n, places)
				return func() { routing.Failover(in, same, at, p) }
			}
			cases["Explain "+with] = func(n int) func() {
				in := candidates(n, places)
				return func() { routing.Explain(in, same, at, p) }
			}
		}
	}
	forecasts(cases)
	return cases
}

// forecasts adds calls of package forecast.
func forecasts(cases map[string]Input) {
	same := func(c routing.Candidate) routing.Candidate { return c }
	from := func(n int) (list []forecast.Source) {
		for i := range n {
			list = append(list, forecast.Source{Location: placeOf(i), Weight: 1})
		}
		return list
	}
	near := routing.Policy{Near: routing.Node | routing.Zone, AtLeast: 2, LastResort: true, AnyFamily: true}
	cases["Forecast for many places"] = func(n int) func() {
		in, sources := candidates(n, 1), from(n)
		return func() { must(forecast.Forecast(in, same, sources, near)) }
	}
	cases["Forecast for many sources"] = func(n int) func() {
		in, sources := candidates(5, 1), from(n)
		return func() { must(forecast.Forecast(in, same, sources, near)) }
	}
	for name, sides := range map[string][2]int{"many client zones": {1, 0}, "many endpoint zones": {0, 1}} {
		cases["Spread from "+name] = func(n int) func() {
			clients, zones := map[string]int64{}, map[string]int64{}
			for i := range max(3, n*sides[0]) {
				clients[zoneName(i)] = int64(1 + i%5)
			}
			for i := range max(3, n*sides[1]) {
				zones[zoneName(i)] = int64(1 + i%7)
			}
			return func() { must(forecast.Spread(clients, zones, 20, 100)) }
		}
	}
}

// placeOf is a place with a node and a zone of its own, in one of a few regions.
func placeOf(i int) routing.Location {
	return routing.Location{NodeName: fmt.Sprint("n", i), Zone: zoneName(i), Region: fmt.Sprint("r", i%3)}
}

// candidates are endpoints of two families and any state, all in one place or each in its own.
func candidates(n, places int) (list []routing.Candidate) {
	for i := range n {
		at := placeOf(i * places)
		c := routing.Candidate{AddressType: discoveryv1.AddressTypeIPv4}
		c.NodeName = at.NodeName
		c.Zone = at.Zone
		c.Region = at.Region
		c.State = conditions.State{Ready: i%4 == 0, Serving: i%4 < 2, Terminating: i%4 == 1}
		c.ForZones = []discoveryv1.ForZone{{Name: at.Zone}}
		c.TargetRef = &corev1.ObjectReference{Kind: "Pod", Name: fmt.Sprint("p", i/2)}
		if i%2 == 1 {
			c.AddressType = discoveryv1.AddressTypeIPv6
		}
		list = append(list, c)
	}
	return list
}

// served are calls of dedup for one Service, in which ports, slices and endpoints grow.
func served() map[string]Input {
	cases := map[string]Input{}
	add := func(name string, ports int, list func(n int) []*discoveryv1.EndpointSlice) {
		for call, of := range map[string]func(*corev1.Service, []*discoveryv1.EndpointSlice) dedup.Served[dedup.Found]{
			"OfService": dedup.OfService, "ForGateway": dedup.ForGateway,
		} {
			cases[call+" of "+name] = func(n int) func() {
				svc, in := web(max(1, n*ports), 0), list(n)
				svc.Spec.IPFamilies = append(svc.Spec.IPFamilies, corev1.IPv6Protocol)
				svc.Spec.ClusterIPs = []string{"10.96.0.1", "fd00::1"}
				return func() { of(svc, in) }
			}
		}
	}
	add("many slices", 0, func(n int) []*discoveryv1.EndpointSlice { return portSlices(n, 1, 0) })
	add("many ports of a Service", 1, func(int) []*discoveryv1.EndpointSlice { return portSlices(3, 1, 0) })
	add("many ports and slices", 1, func(n int) []*discoveryv1.EndpointSlice { return portSlices(n, 1, 1) })
	add("many ports of one slice", 1, func(n int) []*discoveryv1.EndpointSlice { return portSlices(1, n, 1) })
	add("ports that no slice has", 1, func(n int) []*discoveryv1.EndpointSlice { return portSlices(n, 1, -1) })
	endpoints := func(n int) []*discoveryv1.EndpointSlice { return gen.Service(n).Existing }
	add("many endpoints", 0, endpoints)
	add("many endpoints and ports", 1, endpoints)
	return cases
}

// portSlices are slices of one endpoint. step is how the numbers of their ports go on from slice to
// slice.
func portSlices(slices, ports, step int) []*discoveryv1.EndpointSlice {
	list := separate(slices, gen.Address)
	for i, s := range list {
		s.Ports = nil
		for k := range ports {
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{
				Name: ptr(fmt.Sprintf("p%d", i*step+k)), Port: ptr(int32(1 + k)), Protocol: ptr(corev1.ProtocolTCP),
			})
		}
	}
	return list
}
