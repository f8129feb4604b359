package cost

import (
	"fmt"
	"maps"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
)

func readers() map[string]Input {
	cases := map[string]Input{}
	lists := map[string]func(n int) []*discoveryv1.EndpointSlice{
		"one address in many slices": func(n int) []*discoveryv1.EndpointSlice {
			return separate(n, func(int) string { return gen.Address(0) })
		},
		"many slices": func(n int) []*discoveryv1.EndpointSlice { return separate(n, gen.Address) },
		"large slices": func(n int) []*discoveryv1.EndpointSlice {
			return gen.Service(n).Existing
		},
		"many Services": func(n int) []*discoveryv1.EndpointSlice {
			list := separate(n, func(int) string { return gen.Address(0) })
			for i, s := range list {
				s.Labels[discoveryv1.LabelServiceName] = fmt.Sprint("s", i)
			}
			return list
		},
		"many addresses of one endpoint": func(n int) []*discoveryv1.EndpointSlice {
			list := separate(1, gen.Address)
			list[0].Endpoints[0].Addresses = addresses(n)
			return list
		},
		"many ports": func(n int) []*discoveryv1.EndpointSlice {
			list := separate(1, gen.Address)
			for i := range n {
				list[0].Ports = append(list[0].Ports,
					discoveryv1.EndpointPort{Name: ptr(fmt.Sprint("p", i)), Port: ptr(int32(1 + i))})
			}
			return list
		},
	}
	for name, list := range lists {
		add := func(verb string, do func([]*discoveryv1.EndpointSlice)) {
			cases[verb+" "+name] = func(n int) func() {
				in := list(n)
				return func() { do(in) }
			}
		}
		add("OnePort of", func(in []*discoveryv1.EndpointSlice) { dedup.OnePort(in, dedup.PortOptions{Port: "http"}) })
		add("Addresses of", func(in []*discoveryv1.EndpointSlice) { dedup.Addresses(in, dedup.AddressOptions{}) })
		add("all addresses of", func(in []*discoveryv1.EndpointSlice) {
			dedup.Merge(in, dedup.Options{AllAddresses: true, AllPorts: true})
		})
		add("Index of", follow)
	}
	candidates := func(name string, families, names int) {
		list := func(n int) (list []routing.Candidate) {
			for i := range n {
				c := routing.Candidate{AddressType: discoveryv1.AddressType(fmt.Sprint(i * families)),
					State: conditions.State{Ready: true}, Zone: fmt.Sprint("z", i%3)}
				for k := range 1 + names*(1+i%3) {
					c.ForZones = append(c.ForZones, discoveryv1.ForZone{Name: fmt.Sprint("z", i+k)})
				}
				list = append(list, c)
			}
			return list
		}
		same, at := func(c routing.Candidate) routing.Candidate { return c }, routing.Location{NodeName: "n",
			Zone: "z1"}
		cases["Route over "+name] = func(n int) func() {
			in := list(n)
			return func() { routing.Route(in, same, at, routing.Policy{}) }
		}
		cases["Failover over "+name] = func(n int) func() {
			in := list(n)
			return func() { routing.Failover(in, same, at, routing.Policy{}) }
		}
		cases["Forecast over "+name] = func(n int) func() {
			in, from := list(n), []forecast.Source(nil)
			for i := range n {
				from = append(from, forecast.Source{Location: routing.Location{Zone: fmt.Sprint("z", i)}, Weight: 1})
			}
			return func() { must(forecast.Forecast(in, same, from, routing.Policy{AnyFamily: true})) }
		}
	}
	candidates("many endpoints", 0, 0)
	candidates("many families", 1, 0)
	candidates("many names", 0, 1)
	cases["Cache of many keys"] = func(n int) func() {
		in, all := separate(n, gen.Address), map[string]*discoveryv1.Endpoint{}
		for _, s := range in {
			all[s.Name] = &s.Endpoints[0]
		}
		return func() {
			c := dedup.NewCache[string, string](dedup.RankOf)
			for _, s := range in {
				c.Put("web", dedup.SourceOf(s), maps.All(map[string]*discoveryv1.Endpoint{s.Name: &s.Endpoints[0]}))
			}
			c.Put("web", dedup.Source{}, maps.All(all))
			for range c.All("web") {
			}
		}
	}
	return cases
}

// follow shows slices to an Index, reads all that there is, changes every slice, reads what
// changed, and takes all away.
func follow(in []*discoveryv1.EndpointSlice) {
	ix := must(dedup.NewIndex(dedup.Options{}))
	ix.Replace(in)
	read := func() {
		changes, _ := ix.Flush()
		for _, d := range changes.Ports {
			d.Counts()
		}
		view := ix.View()
		for range view.All() {
		}
		for range view.Conflicts() {
		}
		for s := range view.Services() {
			for range view.ByTarget(s) {
			}
		}
	}
	read()
	for _, s := range in {
		s = s.DeepCopy()
		s.ResourceVersion, s.Endpoints[0].Conditions.Ready = "9999", ptr(false)
		ix.Upsert(s)
	}
	read()
	ix.Replace(nil)
	read()
}

// separate are slices of one endpoint each.
func separate(n int, address func(int) string) (list []*discoveryv1.EndpointSlice) {
	for i := range n {
		s := gen.WebSlice(fmt.Sprintf("web-%d", i), address(i))
		s.ResourceVersion = fmt.Sprint(1 + i)
		list = append(list, s)
	}
	return list
}
