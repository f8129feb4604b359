package cost

import (
	"context"
	"fmt"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/tracker"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// pair is for two dimensions of which the input has the product, such as slices and the ports of
// each: the product is n. Two dimensions of which it has the sum, such as the ports and the
// endpoints of one slice, are both n.
const pair = -1

// grown is how large a dimension of an input of size n is: 1 for 0, n for 1.
func grown(n, dimension int) int {
	if dimension == pair {
		return int(math.Sqrt(float64(n)))
	}
	return max(1, n*dimension)
}

// ofPorts are calls of mirror, mcs and publish in which ports, addresses, hints and Services grow,
// alone and two together.
func ofPorts() map[string]Input {
	cases := map[string]Input{}
	for name, size := range map[string][3]int{
		"many ports": {0, 1, 0}, "many addresses": {0, 0, 1}, "many slices and ports": {pair, pair, 0},
		"many slices and addresses": {pair, 0, pair}, "many ports and addresses": {0, 1, 1},
	} {
		from := func(n int) []*discoveryv1.EndpointSlice {
			return sized(grown(n, size[0]), grown(n, size[1]), grown(n, size[2]))
		}
		set := slicer.Set{Namespace: gen.Namespace, Name: gen.Name, ManagedBy: "test",
			Key: map[string]string{"example.com/set": "a"}}
		cases["copies of "+name] = func(n int) func() {
			all, o := from(n), mirror.CopyOptions{EachAddress: true}
			plan := func(existing []*discoveryv1.EndpointSlice) slicer.Plan {
				in := must(mirror.FromSlices(set, all, o))
				in.Options.MaxEndpointsPerSlice = 1000 // each slice has all ports
				return must(slicer.Compute(in, existing))
			}
			return func() { plan(plan(nil).After()) }
		}
		cases["Endpoints of "+name] = func(n int) func() {
			all := from(n)
			return func() {
				_, _, err := mirror.ToEndpoints(all, mirror.ViewOptions{})
				must(0, err)
			}
		}
		cases["import of "+name] = func(n int) func() {
			if size == [3]int{0, 1, 1} { // each hundred endpoints are in a slice with all ports
				n = grown(n, pair)
			}
			all, of := from(n), mcs.Import{Namespace: "default", Name: "web", Cluster: "east", ManagedBy: "test"}
			var ports []corev1.ServicePort
			for _, p := range all[0].Ports {
				ports = append(ports, corev1.ServicePort{Name: *p.Name, Port: *p.Port})
			}
			return func() { must(mcs.PlanImport(of, ports, all, nil, mirror.CopyOptions{EachAddress: true})) }
		}
	}
	cases["exports of many clusters that disagree"] = func(n int) func() {
		var list []mcs.Export
		for i := range n {
			list = append(list, mcs.Export{Cluster: fmt.Sprint("c", i), Created: time.Unix(int64(i), 0),
				Ports: []corev1.ServicePort{
					{Name: "http", Port: int32(1 + i)}, {Name: fmt.Sprint("p", i), Port: 65000},
				}})
		}
		return func() {
			for _, c := range must(mcs.MergeExports(list, mcs.Union)).Conflicts {
				_ = fmt.Sprint(c)
			}
		}
	}
	cases["syncs of many Services"] = syncs
	cases["a sync after many refused names"] = refused
	return cases
}

// sized is slices with the same ports, and in each an endpoint with addresses of its own.
func sized(slices, ports, addresses int) (list []*discoveryv1.EndpointSlice) {
	for i := range slices {
		s := gen.WebSlice(fmt.Sprint("web-", i))
		s.Ports, s.Endpoints = nil, []discoveryv1.Endpoint{{}}
		for k := range ports {
			s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr(fmt.Sprint("p", k)), Port: ptr(int32(1 + k))})
		}
		for k := range addresses {
			s.Endpoints[0].Addresses = append(s.Endpoints[0].Addresses, gen.Address(i*addresses+k))
		}
		list = append(list, s)
	}
	return list
}

// syncs writes a slice for each of n Services with one Syncer, whose cache shows them only later.
func syncs(n int) func() {
	return func() {
		cache := map[string][]*discoveryv1.EndpointSlice{}
		shown := false
		write := func(s *discoveryv1.EndpointSlice) error {
			s.UID, s.ResourceVersion = types.UID(s.Name), "1"
			cache[s.Labels[discoveryv1.LabelServiceName]] = []*discoveryv1.EndpointSlice{s}
			return nil
		}
		syncer := publish.New(publish.Slices{
			Cached: func(_ string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
				name, _ := selector.RequiresExactMatch(discoveryv1.LabelServiceName)
				if !shown {
					name = ""
				}
				return cache[name], nil
			},
			List: func(context.Context, string, labels.Selector) (*discoveryv1.EndpointSliceList, error) {
				return nil, nil
			},
			Get: func(context.Context, string, string) (*discoveryv1.EndpointSlice, error) { return nil, nil },
			Writer: func(context.Context, string) publish.Writer {
				return publish.Writer{Create: write, Update: write}
			},
		}, services.Options{ManagedBy: "test"})
		for round := range 3 {
			shown = round == 2
			for i := range n {
				svc := web(1, 0)
				svc.Name = fmt.Sprint("web-", i)
				if _, err := syncer.Backends(context.Background(), svc, nil); round != 1 {
					must(0, err)
				}
			}
		}
	}
}

// refused is a sync after the API server has refused n names: the cache shows a third of the slices
// that have them, a third is gone, and a third has lost its labels. The cache has n other slices.
func refused(n int) func() {
	t, set := &tracker.Tracker{}, tracker.Set{Namespace: gen.Namespace, Name: gen.Name, ManagedBy: "test"}
	shown, stored := separate(n, gen.Address), map[string]*discoveryv1.EndpointSlice{}
	for i := range n {
		s := gen.WebSlice(fmt.Sprintf("taken-%06d", i))
		s.Labels = map[string]string{discoveryv1.LabelManagedBy: "test"}
		t.Taken = append(t.Taken, s.Name)
		switch i % 3 {
		case 0:
			s.Labels[discoveryv1.LabelServiceName] = gen.Name
			shown = append(shown, s)
		case 1:
			stored[s.Name] = s
		}
	}
	return func() {
		call := t.Begin(set)
		call.Read(shown, "", nil)
		for call.Next().Do == tracker.Get {
			call.Got(stored[call.Next().Name], nil)
		}
		call.Planned(slicer.Plan{Unchanged: call.Next().View}, nil)
		if call.Next().Do != tracker.Write || len(call.Plan.Steps) != len(stored) {
			panic(fmt.Sprint(len(call.Plan.Steps), " slices get their labels back"))
		}
		for i := range call.Plan.Steps {
			s := call.Plan.Steps[i].New
			call.Answered(tracker.Send(slicer.Update, s), s, nil)
		}
		call.Applied(nil)
	}
}
