package routing_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
	"github.com/slicewright/slicewright/internal/test/gen"
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

var here = routing.Location{NodeName: "node-3", Zone: "zone-b"}

// hintedForOwnZone returns n endpoints in three zones, each with a hint for its own zone.
func hintedForOwnZone(n int) []dedup.Endpoint {
	all, _ := dedup.OnePort(gen.Service(n).Existing, "http", "", dedup.Options{})
	for i := range all {
		all[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: all[i].Zone}}}
	}
	return all
}

// BenchmarkRoute measures what a reader in one of three zones does with the endpoints of a Service.
func BenchmarkRoute(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		list := hintedForOwnZone(n)
		b.Run(fmt.Sprintf("endpoints=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(routing.Route(list, here, routing.Policy{})) == 0 {
					b.Fatal("no endpoint is chosen")
				}
			}
		})
	}
}

// TestRouteAllocates: the number of allocations does not grow with the number of endpoints.
func TestRouteAllocates(t *testing.T) {
	few, many := hintedForOwnZone(100), hintedForOwnZone(1000)
	for _, policy := range []routing.Policy{{}, {Near: routing.Node, AtLeast: 2}, {Local: true}} {
		count := func(list []dedup.Endpoint) float64 {
			return testing.AllocsPerRun(20, func() { routing.Route(list, here, policy) })
		}
		if n, m := count(few), count(many); m > n {
			t.Errorf("%+v: %v allocations for 100 endpoints, %v for 1000", policy, n, m)
		}
	}
}
