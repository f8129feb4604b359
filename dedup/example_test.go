package dedup_test

import (
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
)

var webHTTP = dedup.ServicePortName{
	Service: types.NamespacedName{Namespace: "default", Name: "web"}, Port: "http", Protocol: corev1.ProtocolTCP,
}

// The program of the package comment: the ready endpoints of one port.
func Example() {
	slices := []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), slice("web-b", "10.0.0.1", "10.0.0.2")}
	name := types.NamespacedName{Namespace: "default", Name: "web"}
	use := func(address any) { fmt.Println(address) }

	view := dedup.Merge(slices, dedup.Options{}) // or an Index, which follows a watch
	for e := range view.Endpoints(dedup.ServicePortName{Service: name, Port: "http"}) {
		if e.Conditions.Ready {
			use(e.AddrPort())
		}
	}
	if w := view.Warnings(); len(w) > 0 {
		log.Print(w) // mistakes in slices; the rest is right
	}
	// Output:
	// 10.0.0.1:8080
	// 10.0.0.2:8080
}

// An ingress controller lists the slices of a Service at each sync. If a slice lacks the port, it
// uses the number in the Service's targetPort.
func ExampleOnePort() {
	a, b := slice("web-a", "10.0.0.10", "10.0.0.2"), slice("web-b", "10.0.0.3", "10.0.0.256")
	b.Ports = nil
	endpoints, warnings := dedup.OnePort([]*discoveryv1.EndpointSlice{a, b}, "http", corev1.ProtocolTCP,
		dedup.Options{Else: func(*discoveryv1.EndpointSlice) int32 { return 80 }})
	if len(warnings) > 0 {
		fmt.Println(warnings) // what was left out; the rest is right
	}
	for _, e := range endpoints {
		fmt.Println(e, "from", e.Slice)
	}
	// Output:
	// default/web-b: endpoints[1].addresses[0]: Invalid value: "10.0.0.256": must be an address of the slice's type
	// 10.0.0.2:8080 from web-a
	// 10.0.0.3:80 from web-b
	// 10.0.0.10:8080 from web-a
}

// An Index follows a watch: call Handle from an informer's handlers, and Flush once for each update
// that is sent.
func ExampleIndex() {
	ix, err := dedup.NewIndex(dedup.Options{})
	if err != nil {
		fmt.Println(err) // an option is wrong
		return
	}
	ix.Replace([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), slice("web-b", "10.0.0.2")})
	changes, _ := ix.Flush()
	fmt.Println(changes.Services, changes.Ports)

	ix.Handle(slice("web-b", "10.0.0.2"), slice("web-b", "10.0.0.1")) // both slices have it now
	changes, _ = ix.Flush()
	fmt.Println(changes.Services, changes.Ports)

	ix.Delete(types.NamespacedName{Namespace: "default", Name: "web-a"})
	ix.Delete(types.NamespacedName{Namespace: "default", Name: "web-b"})
	changes, warnings := ix.Flush()
	fmt.Println(changes.Services, changes.Ports, ix.View().Has(webHTTP.Service), len(warnings))
	// Output:
	// [default/web] [default/web:http/TCP appeared +10.0.0.1:8080 +10.0.0.2:8080]
	// [default/web] [default/web:http/TCP -10.0.0.2:8080]
	// [default/web] [default/web:http/TCP gone -10.0.0.1:8080] false 0
}

// A speaker announces a Service from the nodes that have a ready endpoint, as the health check of a
// Service with externalTrafficPolicy Local does.
func ExampleView_Addresses() {
	s := slice("web-a", "10.0.0.1", "10.0.0.2")
	s.Endpoints[0].NodeName, s.Endpoints[1].NodeName = ptr("node-1"), ptr("node-2")
	s.Endpoints[1].Conditions.Ready = ptr(false)
	view := dedup.Merge([]*discoveryv1.EndpointSlice{s}, dedup.Options{})
	for _, node := range []string{"node-1", "node-2"} {
		ready := 0
		for e := range view.Addresses(webHTTP.Service) {
			if e.Conditions.Ready && e.NodeName == node {
				ready++
			}
		}
		fmt.Println(node, ready > 0)
	}
	// Output:
	// node-1 true
	// node-2 false
}

// db-0 and db-1 are on the network of one node, so they have one address, and db-0 has an alias.
func ExampleView_Targets() {
	s := slice("db-a", "10.0.0.1", "10.0.0.1", "10.0.0.1")
	for i, name := range []string{"db-0", "db-1", "primary"} {
		pod := []string{"db-0", "db-1", "db-0"}[i]
		s.Endpoints[i].Hostname = &name
		s.Endpoints[i].TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: pod}
	}
	for e := range dedup.Merge([]*discoveryv1.EndpointSlice{s}, dedup.Options{}).Targets(webHTTP.Service) {
		fmt.Println(e.Hostname, e.Address)
	}
	// Output:
	// db-0 10.0.0.1
	// primary 10.0.0.1
	// db-1 10.0.0.1
}

// A Service has port http, and one of its slices has port mysql, because somebody renamed it in one
// place. kube-proxy sends nothing there.
func ExampleView_ForProxy() {
	renamed := slice("web-b", "10.0.0.2")
	renamed.Ports[0].Name = ptr("mysql")
	view := dedup.Merge([]*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1"), renamed}, dedup.Options{})
	service := view.ForProxy(webService())
	http, _ := service.Port("http")
	fmt.Println(http.Endpoints)
	fmt.Println(service.Unused)
	// Output:
	// [10.0.0.1:8080]
	// default/web-b: the Service has no port mysql/TCP; it has http/TCP
	// default/web-b: the slice does not have the port http/TCP; it has mysql/TCP
}

// A gateway has a route to port 80 of a ServiceImport, whose slices have a label of their own.
func ExampleView_ForGateway() {
	s := slice("web-east", "10.1.0.1")
	s.Labels = map[string]string{"multicluster.kubernetes.io/service-name": "web"}
	var imported corev1.Service // with name, ports and families of the ServiceImport
	imported.Namespace, imported.Name = "default", "web"
	imported.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80}}
	view := dedup.Merge([]*discoveryv1.EndpointSlice{s},
		dedup.Options{ServiceLabel: "multicluster.kubernetes.io/service-name"})
	port, ok := view.ForGateway(&imported).PortNumber(80, corev1.ProtocolTCP)
	fmt.Println(port.Endpoints, ok)
	// Output: [10.1.0.1:8080] true
}

func ExampleView_Conflicts() {
	gone := slice("web-a", "10.0.0.1")
	gone.Endpoints[0].Conditions = discoveryv1.EndpointConditions{Ready: ptr(false), Terminating: ptr(true)}
	view := dedup.Merge([]*discoveryv1.EndpointSlice{gone, slice("web-b", "10.0.0.1")}, dedup.Options{})
	for c := range view.Conflicts() {
		fmt.Println(c)
	}
	// Output: default/web:http/TCP 10.0.0.1:8080: web-b over web-a (Terminating: conditions)
}

// A mesh keeps messages of its own by host name and address.
func ExampleCache() {
	type message struct {
		weight int
		from   *discoveryv1.Endpoint
	}
	cache := dedup.NewCache[string, string](func(m message) (conditions.State, *corev1.ObjectReference) {
		return conditions.Of(m.from.Conditions), m.from.TargetRef
	})
	put := func(s *discoveryv1.EndpointSlice, weight int) {
		cache.Put("web.default.svc", s, func(yield func(string, message) bool) {
			for i := range s.Endpoints {
				if !yield(s.Endpoints[i].Addresses[0], message{weight, &s.Endpoints[i]}) {
					return
				}
			}
		})
	}
	put(slice("web-a", "10.0.0.1"), 1)
	put(slice("web-b", "10.0.0.2", "10.0.0.1"), 2)
	cache.Delete("web.default.svc", types.NamespacedName{Namespace: "default", Name: "web-a"})
	for address, m := range cache.All("web.default.svc") { // the other slice still has 10.0.0.1
		fmt.Println(address, m.weight)
	}
	// Output:
	// 10.0.0.2 2
	// 10.0.0.1 2
}
