package cost

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"context"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

func writers() map[string]Input {
	cases := map[string]Input{}
	for _, h := range gen.Hostile {
		cases["plan of "+h.Name] = func(n int) func() {
			in := h.Input(n)
			return func() {
				p := must(slicer.Compute(in.Input, in.Existing))
				_, _ = p.String(), p.After()
			}
		}
	}
	cases["plan of what is refused"] = func(n int) func() {
		in := gen.Service(n)
		for i := range in.Groups[0].Endpoints {
			in.Groups[0].Endpoints[i].Addresses = []string{"127.0.0.1", fmt.Sprint("bad ", i)}
		}
		return func() { _ = must(slicer.Compute(in.Input, in.Existing)).Warnings() }
	}
	cases["plan of 10 000 endpoints of one address"] = func(n int) func() { return oneAddress(5*n, 5*n) }
	cases["plan of a few endpoints of an address that slices hold often"] = func(n int) func() {
		return oneAddress(n, n/10)
	}
	cases["plan of many labels, owners and addresses"] = func(n int) func() {
		in := gen.Service(2)
		s := in.Existing[0]
		in.Set.Labels, s.Annotations = map[string]string{}, map[string]string{}
		for i := range n {
			in.Set.Labels[fmt.Sprint("l", i)] = "x"
			s.Labels[fmt.Sprint("m", i)] = "x"
			s.Annotations[fmt.Sprint("a", i)] = "x"
			s.OwnerReferences = append(s.OwnerReferences, metav1.OwnerReference{Kind: "Pod", Name: fmt.Sprint(i)})
		}
		for _, e := range []*discoveryv1.Endpoint{&s.Endpoints[0], &in.Groups[0].Endpoints[1]} {
			e.Addresses = addresses(n)
			e.Hints = &discoveryv1.EndpointHints{}
			for i := range n {
				e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: fmt.Sprint("z", n-i)})
			}
		}
		return func() { _ = must(slicer.Compute(in.Input, in.Existing)).String() }
	}
	cases["writes of many slices"] = func(n int) func() {
		in := gen.First(gen.Service(n))
		in.Options.MaxEndpointsPerSlice = 1
		p := must(in.Compute())
		return func() {
			var cache []*discoveryv1.EndpointSlice
			syncer := publish.New(publish.Slices{
				Cached: func(string, labels.Selector) ([]*discoveryv1.EndpointSlice, error) { return cache, nil },
				List: func(context.Context, string, labels.Selector) (*discoveryv1.EndpointSliceList, error) {
					return nil, nil
				},
				Get: func(context.Context, string, string) (*discoveryv1.EndpointSlice, error) { return nil, nil },
				Writer: func(context.Context, string) publish.Writer {
					return publish.Writer{Create: func(s *discoveryv1.EndpointSlice) error {
						s.UID, s.ResourceVersion = types.UID(s.Name), "1"
						return nil
					}}
				},
			}, services.Options{})
			sync := func(plan slicer.Plan) error {
				_, err := syncer.Sync(context.Background(), in.Set,
					func([]*discoveryv1.EndpointSlice) (slicer.Plan, error) { return plan, nil })
				return err
			}
			must(0, sync(p))
			_ = sync(slicer.Plan{}) // it waits
			cache = p.After()
			must(0, sync(slicer.Plan{}))
		}
	}
	plan := func(name string, pods, ports, labels, each int, of services.PerFamily) {
		cases["Service with "+name] = func(n int) func() {
			svc, list := web(max(1, n*ports), n*labels), []*corev1.Pod(nil)
			for i := range max(1, n*pods) {
				list = append(list, pod(i, svc))
			}
			if pods == ports { // else each Pod has all ports by name
				for i := range svc.Spec.Ports {
					svc.Spec.Ports[i].TargetPort = intstr.FromInt32(80)
					list[i].Spec.Containers = nil
				}
			}
			o := services.Options{ManagedBy: "test", KeyLabel: "example.com/set", PerFamily: of}
			o.Slices.MaxEndpointsPerSlice = 1000 // each slice has all ports
			if each > 0 {
				all := addresses(n)
				o.Addresses = func(*corev1.Pod) ([]string, error) { return all, nil }
			}
			return func() {
				first := must(services.Plan(svc, list, nil, nil, o))
				must(services.Plan(svc, list, nil, first.After(), o))
			}
		}
	}
	plan("many Pods", 1, 0, 0, 0, services.EachAddress)
	plan("many ports", 0, 1, 0, 0, services.EachAddress)
	plan("many Pods and ports", 1, 1, 0, 0, services.EachAddress)
	plan("many labels", 0, 0, 1, 0, services.EachAddress)
	plan("many addresses of one Pod", 0, 0, 0, 1, services.EachAddress)
	plan("many joined addresses", 0, 0, 0, 1, services.JoinedAddresses)
	plan("many addresses of which the first is published", 0, 0, 0, 1, services.FirstAddress)
	cases["event of a Backend with many addresses and ports"] = func(n int) func() {
		old, numbers := services.Backend{Addresses: addresses(n), Ready: true}, map[string]int32{}
		for i := range n {
			name := fmt.Sprint("p", i)
			old.Ports, numbers[name] = append(old.Ports, services.BackendPort{Name: name, Port: 80}), 80
		}
		old.PortNumbers = numbers
		changed := old
		changed.Zone = "b"
		return func() {
			for _, of := range []services.PerFamily{services.EachAddress, services.FirstAddress,
				services.JoinedAddresses} {
				services.BackendMatters(&old, &changed, services.Options{PerFamily: of, DeclaredPortsOnly: true})
			}
		}
	}
	cases["text of a plan with many copies in one slice"] = func(n int) func() {
		in := gen.Service(1)
		for range n {
			in.Existing[0].Endpoints = append(in.Existing[0].Endpoints, in.Existing[0].Endpoints[0])
		}
		p := must(in.Compute())
		return func() { _ = p.String() }
	}
	anywhere := func(i, zones int) int { return i % zones }
	assign := func(name string, o hints.Options, slices, each, zones int, home func(i, zones int) int) {
		cases["hints of "+name] = func(n int) func() {
			o := o
			o.Weights.Zones = map[string]int64{}
			for z := range max(3, n*zones) {
				o.Weights.Zones[fmt.Sprintf("z%d", z)] = int64(10 + z%3)
			}
			var in []hints.Slice
			for i := range max(1, n*slices) {
				s := hints.Slice{Name: fmt.Sprint(i)}
				for k := range max(2, n*each) {
					zone := fmt.Sprintf("z%d", home(i+k, len(o.Weights.Zones)))
					s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{
						Addresses: []string{fmt.Sprint(i, k)}, Zone: &zone, Hints: hints.Hint{Zone: "z0"}.Endpoint(),
					})
				}
				in = append(in, s)
			}
			return func() {
				_, d, err := hints.Assign(o, in)
				_ = must(d, err).String()
			}
		}
	}
	cases["weights of Nodes without zone"] = func(n int) func() {
		var nodes []*corev1.Node
		for i := range n {
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("n", i)}}
			node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
			nodes = append(nodes, node)
		}
		return func() { hints.NodeWeights(nodes, nil) }
	}
	topology, limit := hints.Options{Mode: hints.Proportional}, hints.Options{Mode: hints.SameZone, Limit: 50}
	assign("many slices", topology, 1, 0, 0, anywhere)
	assign("many zones", topology, 0, 1, 1, anywhere)
	assign("many slices and zones", topology, 1, 0, 1, anywhere)
	assign("a large slice", topology, 0, 1, 0, anywhere)
	assign("many zones whose endpoints leave", topology, 1, 0, 1, func(i, zones int) int { return i % (1 + zones/2) })
	assign("endpoints of a zone without weight", topology, 1, 0, 1, func(i, zones int) int { return zones })
	assign("many slices within a limit", limit, 1, 0, 0, anywhere)
	assign("a large slice within a limit", limit, 0, 1, 0, anywhere)
	copies := func(name string, do func(from []*discoveryv1.EndpointSlice)) {
		cases[name] = func(n int) func() {
			from := gen.Service(n).Existing
			return func() { do(from) }
		}
		cases[name+", one each"] = func(n int) func() {
			from := separate(n, func(int) string { return gen.Address(0) })
			return func() { do(from) }
		}
	}
	set := slicer.Set{Namespace: gen.Namespace, Name: gen.Name, ManagedBy: "test",
		Key: map[string]string{"example.com/set": "a"}}
	copies("copies of slices", func(from []*discoveryv1.EndpointSlice) {
		must(mirror.PlanCopy(set, from, nil, mirror.CopyOptions{}))
	})
	copies("import of slices", func(from []*discoveryv1.EndpointSlice) {
		of := mcs.Import{Namespace: "default", Name: "web", Cluster: "east", ManagedBy: "test"}
		first := must(mcs.PlanImport(of, web(1, 0).Spec.Ports, from, nil, mirror.CopyOptions{}))
		must(mcs.PlanImport(of, nil, nil, first.After(), mirror.CopyOptions{}))
	})
	copies("Endpoints of slices", func(from []*discoveryv1.EndpointSlice) {
		_, _, err := mirror.ToEndpoints(from, mirror.ViewOptions{})
		must(0, err)
	})
	mirrored := func(name string, subsets, addresses, ports int) {
		cases["mirror of "+name] = func(n int) func() {
			e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
			for i := range grown(n, subsets) {
				s := corev1.EndpointSubset{}
				for k := range grown(n, addresses) {
					s.Addresses = append(s.Addresses, corev1.EndpointAddress{IP: gen.Address(i + k)})
				}
				for k := range grown(n, ports) {
					s.Ports = append(s.Ports, corev1.EndpointPort{Name: fmt.Sprint("p", k), Port: int32(1 + i)})
				}
				e.Subsets = append(e.Subsets, s)
			}
			return func() {
				svc := web(1, 0)
				svc.Spec.Selector = nil
				first := must(mirror.Plan(e, svc, nil, mirror.Options{ManagedBy: "test"}))
				must(mirror.Plan(e, svc, first.After(), mirror.Options{ManagedBy: "test"}))
			}
		}
	}
	mirrored("many subsets", 1, 0, 0)
	mirrored("many addresses", 0, 1, 0)
	mirrored("many ports", 0, 0, 1)
	mirrored("many subsets and addresses", pair, pair, 0)
	mirrored("many subsets and ports", pair, 0, pair)
	mirrored("many addresses and ports", 0, 1, 1)
	exports := func(name string, clusters, ports int) {
		cases["exports of "+name] = func(n int) func() {
			var list []mcs.Export
			for i := range grown(n, clusters) {
				e := mcs.Export{Cluster: fmt.Sprint("c", i), Created: time.Unix(int64(i), 0)}
				for k := range grown(n, ports) {
					e.Ports = append(e.Ports,
						corev1.ServicePort{Name: fmt.Sprint("p", i, "-", k), Port: int32(1 + (i+k)%65535)})
				}
				list = append(list, e)
			}
			return func() { must(mcs.MergeExports(list, mcs.Union)) }
		}
	}
	exports("many clusters", 1, 0)
	exports("many ports", 0, 1)
	exports("many clusters and ports", pair, pair)
	maps.Copy(cases, ofPorts())
	return cases
}

// oneAddress plans for n endpoints, of which some have the address that all endpoints have in the
// slices. Every second one of them is another endpoint than those in the slices, so that searches
// for these find others in vain.
func oneAddress(n, wanted int) func() {
	in := gen.Service(n)
	for i := range wanted {
		e := &in.Groups[0].Endpoints[i]
		if e.Addresses[0] = gen.Address(0); i%2 == 0 {
			e.TargetRef.Name += "-new"
		}
	}
	for _, s := range in.Existing {
		for i := range s.Endpoints {
			s.Endpoints[i].Addresses[0] = gen.Address(0)
		}
	}
	return func() { _ = must(slicer.Compute(in.Input, in.Existing)).String() }
}

func web(ports, labels int) *corev1.Service {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u"}}
	svc.Spec.ClusterIP, svc.Spec.Selector = "10.96.0.1", map[string]string{"app": "web"}
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	for i := range ports {
		name := fmt.Sprintf("p%d", i)
		svc.Spec.Ports = append(svc.Spec.Ports,
			corev1.ServicePort{Name: name, Port: int32(1 + i), TargetPort: intstr.FromString(name)})
	}
	for i := range labels {
		svc.Spec.Selector[fmt.Sprintf("l%d", i)] = "x"
	}
	return svc
}

func pod(i int, svc *corev1.Service) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("web-%d", i),
		Labels: svc.Spec.Selector}}
	p.Status = corev1.PodStatus{PodIP: gen.Address(i),
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}
	c := corev1.Container{}
	for k, port := range svc.Spec.Ports {
		c.Ports = append(c.Ports, corev1.ContainerPort{Name: port.Name, ContainerPort: int32(1 + k)})
	}
	p.Spec.Containers = []corev1.Container{c}
	return p
}

func addresses(n int) (list []string) {
	for i := range n {
		list = append(list, gen.Address(i))
	}
	return list
}
