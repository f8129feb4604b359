package forecast_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
)

// The program of the package comment: without hints, both endpoints get the same traffic, and half
// of it leaves its zone.
func Example() {
	name, port := "http", int32(8080)
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "cart-1", Labels: map[string]string{discoveryv1.LabelServiceName: "cart"},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: &name, Port: &port}},
	}
	var nodes []*corev1.Node
	for i, zone := range []string{"a", "b"} {
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{fmt.Sprintf("10.0.0.%d", i+1)}, Zone: &zone,
		})
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: "node-" + zone, Labels: map[string]string{corev1.LabelTopologyZone: zone},
		}})
	}
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cart"},
		Spec:       corev1.ServiceSpec{ClusterIP: "10.96.0.1", Ports: []corev1.ServicePort{{Name: name, Port: 80}}},
	}
	served := dedup.OfService(svc, []*discoveryv1.EndpointSlice{slice})
	fmt.Println(program(svc, nodes, served.Ports[0].Endpoints))
	// Output:
	// 0% 5000
	// <nil>
}

func program(svc *corev1.Service, nodes []*corev1.Node, endpoints []dedup.Found) error {
	var from []forecast.Source
	for _, node := range nodes {
		at := routing.Location{NodeName: node.Name, Zone: node.Labels[corev1.LabelTopologyZone]}
		from = append(from, forecast.Source{Location: at, Weight: 1})
	}
	traffic, err := forecast.Forecast(endpoints, dedup.Found.Candidate, from, routing.Inside(svc))
	if err != nil {
		return err // an argument is wrong, for example a weight is negative
	}
	if traffic.Worst >= 0 {
		fmt.Println(traffic.Loads[traffic.Worst], traffic.Across) // such as +33.34% and 2500, which means 25%
	}
	return nil
}
