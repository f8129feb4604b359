package routing_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
)

// The program of the package comment: a proxy on a Node of zone b.
func Example() {
	port, number, zone := "http", int32(8080), "b"
	slices := []*discoveryv1.EndpointSlice{{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cart-1",
			Labels: map[string]string{discoveryv1.LabelServiceName: "cart"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: &port, Port: &number}},
		Endpoints: []discoveryv1.Endpoint{
			{Addresses: []string{"10.0.0.1"}, Hints: hinted("10.0.0.1", "a").Hints},
			{Addresses: []string{"10.0.0.2"}, Hints: hinted("10.0.0.2", "b").Hints},
		},
	}}
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cart"},
		Spec:       corev1.ServiceSpec{ClusterIP: "10.96.0.1", Ports: []corev1.ServicePort{{Name: port, Port: 80}}},
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{corev1.LabelTopologyZone: zone}}}
	use := func(port corev1.ServicePort, endpoints []dedup.Endpoint) { fmt.Println(port.Name, endpoints) }

	view := dedup.Merge(slices, dedup.Options{})
	at := routing.Location{NodeName: node.Name, Zone: node.Labels[corev1.LabelTopologyZone]}
	for _, port := range view.ForProxy(svc).Ports {
		use(port.Port, routing.Route(port.Endpoints, at, routing.Internal(svc)))
	}
	// Output:
	// http [10.0.0.2:8080]
}

// A reader that can fail over uses the endpoints of its zone, and the others when all of these
// fail.
func ExampleFailover() {
	draining := hinted("10.0.0.4", "zone-a")
	draining.Conditions.Ready, draining.Conditions.Serving, draining.Conditions.Terminating = false, true, true
	endpoints := []dedup.Endpoint{hinted("10.0.0.1", "zone-a"), draining, hinted("10.0.0.2", "zone-b")}
	for _, tier := range routing.Failover(endpoints, routing.Location{Zone: "zone-a"}, routing.Policy{}) {
		fmt.Printf("%q %v\n", tier.Place, tier.Endpoints)
	}
	// Output:
	// "Zone" [10.0.0.1:80]
	// "" [10.0.0.2:80]
	// "" [10.0.0.4:80]
}

func ExampleExplain() {
	starting := dedup.Endpoint{Address: hinted("10.0.0.3", "").Address, Port: 80}
	endpoints := []dedup.Endpoint{hinted("10.0.0.1", "zone-a"), hinted("10.0.0.2", "zone-b"), starting}
	for i, v := range routing.Explain(endpoints, routing.Location{Zone: "zone-a"}, routing.Policy{}) {
		fmt.Println(endpoints[i], v.Used, v.Reason, "-", v.Message)
	}
	// Output:
	// 10.0.0.1:80 true Hinted - ready, with a hint for zone zone-a
	// 10.0.0.2:80 false OthersHinted - ready, but others have a hint for zone zone-a
	// 10.0.0.3:80 false NotReady - not ready
}
