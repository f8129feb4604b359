package dedup_test

//lint:file-ignore SA1019 Endpoints are deprecated, and an example shows what takes their place.

import (
	"fmt"
	"net"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// onNode puts the endpoints of a slice on nodes, in order.
func onNode(s *discoveryv1.EndpointSlice, nodes ...string) *discoveryv1.EndpointSlice {
	for i := range nodes {
		s.Endpoints[i].NodeName = &nodes[i]
	}
	return s
}

// A speaker announces a Service's virtual IP from the nodes that have a ready endpoint, as kube-vip
// and MetalLB do. It lists the slices of the Service's namespace and keeps nothing. Ports make no
// difference.
func ExampleAddresses() {
	slices := []*discoveryv1.EndpointSlice{
		onNode(slice("web-a", "10.0.0.1", "10.0.0.2"), "node-1", "node-2"),
		onNode(slice("web-b", "10.0.0.3"), "node-3"), // local endpoints may be in any slice
	}
	slices[0].Endpoints[1].Conditions.Ready = ptr(false)
	found, problems := dedup.Addresses(slices,
		dedup.AddressOptions{Service: types.NamespacedName{Namespace: "default", Name: "web"}})
	if len(problems) > 0 {
		fmt.Println(problems)
	}
	for _, node := range []string{"node-1", "node-2", "node-3"} {
		announce := false
		for _, f := range found {
			announce = announce || f.State().Ready && f.Candidate().NodeName == node
		}
		fmt.Println(node, announce)
	}
	// Output:
	// node-1 true
	// node-2 false
	// node-3 true
}

// A DNS server follows a watch with one Index. AllPorts gives it the addresses of each Service
// whatever the port, those of a headless Service without ports included, and what changes about
// them. The other ports have the SRV records. For a Service that is known and has no address the
// answer is no data, and for a Service that is not known it is no such name. The names of single
// Pods are kept in a Cache: see the example of Cache.Put.
func Example_dnsServer() {
	ix, _ := dedup.NewIndex(dedup.Options{AllPorts: true, AllAddresses: true}) // each address is an answer
	headless := slice("db-a", "10.0.0.1")
	headless.Labels[discoveryv1.LabelServiceName], headless.Ports = "db", nil
	for _, event := range []*discoveryv1.EndpointSlice{headless, slice("web-a", "10.0.0.2")} {
		ix.Upsert(event)
		changes, problems := ix.Flush()
		fmt.Println(changes.Ports[0], len(problems)) // AllPorts comes first
	}
	for _, name := range []string{"db", "web", "api"} {
		service := types.NamespacedName{Namespace: "default", Name: name}
		fmt.Println(name, "is known:", ix.View().Has(service))
		for port := range ix.View().Ports(service) {
			for e := range ix.View().Endpoints(port) {
				if e.State.Ready {
					fmt.Println(" ", port, e.Host(), e.Port)
				}
			}
		}
	}
	// Output:
	// default/db:* appeared +10.0.0.1:* 0
	// default/web:* appeared +10.0.0.2:* 0
	// db is known: true
	//   default/db:* 10.0.0.1 0
	// web is known: true
	//   default/web:* 10.0.0.2 0
	//   default/web:http/TCP 10.0.0.2 8080
	// api is known: false
}

// A DNS server answers for the name of each Pod of a headless Service. db-0 and db-1 are on the
// network of one node, so they have one address. Addresses finds that address once, with one of the
// two names.
func ExampleTargets() {
	s := slice("db-a", "10.0.0.1", "10.0.0.1")
	for i, name := range []string{"db-0", "db-1"} {
		s.Endpoints[i].Hostname, s.Endpoints[i].TargetRef = &name, &corev1.ObjectReference{Kind: "Pod",
			Namespace: "default", Name: name}
	}
	found, problems := dedup.Targets([]*discoveryv1.EndpointSlice{s}, dedup.AddressOptions{})
	if len(problems) > 0 {
		fmt.Println(problems)
	}
	for _, f := range found {
		fmt.Println(*f.Endpoint.Hostname, f.Address)
	}
	// Output:
	// db-0 10.0.0.1
	// db-1 10.0.0.1
}

// A program that read Endpoints, which Kubernetes 1.33 deprecates, reads EndpointSlices: one call
// takes the place of the loop over subsets, ports and addresses. What differs:
//
//   - An Endpoints has the Service's name. Slices have names of their own: list those of the
//     namespace by the label kubernetes.io/service-name, or list all and set PortOptions.Service.
//   - A Service has as many slices as it needs. Handle an event by reading all slices of the
//     Service anew, never that one alone.
//   - NotReadyAddresses are the endpoints whose State is not ready, those that terminate included;
//     routing.Route uses these if no other is ready.
//   - Endpoints has 1000 addresses at most, and one family. Slices have all, so that a Pod of a
//     dual-stack Service is there twice: AddressTypes names the one family to read.
//   - A port may have no number, and a slice no ports: see PortOptions.Else.
//   - The loop looked at the name of the port alone. OnePort also compares the protocol, which is
//     TCP if PortOptions.Protocol is empty: the port dns/UDP gives nothing without it.
//   - Slices can be wrong, for example an address that is none. The Problems say so, and the rest
//     is good.
//
// Code that takes a *corev1.Endpoints and cannot move is served by mirror.ToEndpoints.
func Example_fromEndpoints() {
	before := func(endpoints *corev1.Endpoints, port string) {
		for _, subset := range endpoints.Subsets {
			for _, p := range subset.Ports {
				for _, a := range subset.Addresses {
					if p.Name == port {
						fmt.Println(net.JoinHostPort(a.IP, strconv.Itoa(int(p.Port))))
					}
				}
			}
		}
	}
	after := func(slices []*discoveryv1.EndpointSlice, port string) {
		found, problems := dedup.OnePort(slices,
			dedup.PortOptions{Port: port, AddressTypes: []discoveryv1.AddressType{"IPv4"}})
		fmt.Println(problems) // what is left out, and why
		for _, f := range found {
			if f.State().Ready { // NotReadyAddresses are the others
				fmt.Println(net.JoinHostPort(f.Address, strconv.Itoa(int(f.Port))))
			}
		}
	}
	subset := corev1.EndpointSubset{Addresses: []corev1.EndpointAddress{{IP: "10.0.0.1"}},
		Ports: []corev1.EndpointPort{{Name: "http", Port: 8080}}}
	before(&corev1.Endpoints{Subsets: []corev1.EndpointSubset{subset}}, "http")
	after([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1", "10.0.0")}, "http")
	// Output:
	// 10.0.0.1:8080
	// default/web-a: endpoints[1].addresses[0]: Invalid value: "10.0.0": must be an address of the slice's type
	// 10.0.0.1:8080
}

// A Service has port http, and its slices have port mysql, because somebody renamed it in one
// place. kube-proxy sends nothing there.
func ExampleOfService() {
	svc := webService() // with port http/TCP and an IPv4 cluster IP
	renamed := slice("web-b", "10.0.0.2")
	renamed.Ports[0].Name = ptr("mysql")
	served := dedup.OfService(svc, []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), renamed})
	http, _ := served.Named("http")
	for _, f := range http.Endpoints {
		fmt.Println(f.Address, f.Port)
	}
	for _, u := range served.Unused {
		fmt.Println(u.Slice+":", u.Text)
	}
	// Output:
	// 10.0.0.1 8080
	// web-b: the Service has no port mysql/TCP; it has http/TCP
}

// A gateway has a route to port 80 of a Service. It sends to endpoints, so a headless Service is as
// good as another.
func ExampleForGateway() {
	svc := webService(func(s *corev1.Service) {
		s.Spec.ClusterIP, s.Spec.ClusterIPs = corev1.ClusterIPNone, []string{corev1.ClusterIPNone}
	})
	served := dedup.ForGateway(svc, []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1")})
	for _, number := range []int32{80, 8080} {
		port, ok := served.Number(number, corev1.ProtocolTCP)
		fmt.Println(number, "is a port of the Service:", ok, "endpoints:", len(port.Endpoints))
	}
	// Output:
	// 80 is a port of the Service: true endpoints: 1
	// 8080 is a port of the Service: false endpoints: 0
}

// A proxy such as kube-proxy follows a watch with one Index, and asks it for the Services that
// change.
func ExampleView_OfService() {
	ix, err := dedup.NewIndex(dedup.Options{Service: dedup.Proxied})
	if err != nil {
		fmt.Println(err)
		return
	}
	headless := slice("db-a", "10.0.0.9")
	headless.Labels[discoveryv1.LabelServiceName], headless.Labels[corev1.IsHeadlessService] = "db", ""
	ix.Handle(nil, headless)
	ix.Handle(nil, slice("web-a", "10.0.0.1"))
	changes, _ := ix.Flush()
	fmt.Println(changes.Appeared)
	for _, p := range ix.View().OfService(webService()).Ports {
		fmt.Println(p.Port.Name, p.Endpoints)
	}
	// Output:
	// [default/web]
	// http [10.0.0.1:8080]
}

// Imported slices of multi-cluster Services have a label of their own. A DNS server of a cluster
// set tells the clusters of a Service's endpoints apart by another one. Names such as
// db-0.east.db.shop.svc.clusterset.local are made of it.
func ExampleByLabel() {
	const sourceCluster = "multicluster.kubernetes.io/source-cluster"
	var slices []*discoveryv1.EndpointSlice
	for cluster, address := range map[string]string{"east": "10.1.0.1", "west": "10.2.0.1"} {
		s := slice("db-"+cluster, address)
		s.Labels = map[string]string{"multicluster.kubernetes.io/service-name": "db", sourceCluster: cluster}
		s.Endpoints[0].Hostname = ptr("db-0")
		slices = append(slices, s)
	}
	view := dedup.Merge(slices, dedup.Options{
		Service: dedup.ByLabel("multicluster.kubernetes.io/service-name"), Labels: []string{sourceCluster},
	})
	for port, e := range view.All() {
		fmt.Println(e.Hostname+"."+e.Labels[sourceCluster]+"."+port.Service.Name, e.Address)
	}
	// Output:
	// db-0.east.db 10.1.0.1
	// db-0.west.db 10.2.0.1
}

// kube-proxy skips the slices of headless Services, and takes all others by the label that names
// their Service.
func ExampleProxied() {
	headless := slice("web-b", "10.0.0.2")
	headless.Labels = map[string]string{discoveryv1.LabelServiceName: "web", corev1.IsHeadlessService: ""}
	fmt.Println(dedup.Proxied(slice("web-a", "10.0.0.1")))
	fmt.Println(dedup.Proxied(headless))
	// Output:
	// web true
	// web false
}

// A typed client lists values, and this package takes pointers.
func ExamplePointers() {
	list := discoveryv1.EndpointSliceList{Items: []discoveryv1.EndpointSlice{*slice("web-a", "10.0.0.1"),
		*slice("web-b", "10.0.0.2")}}
	for _, s := range dedup.Pointers(list.Items) {
		fmt.Println(s.Name)
	}
	// Output:
	// web-a
	// web-b
}
