package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// database is a Service without selector and its hand-written Endpoints.
func database() (*corev1.Service, *corev1.Endpoints) {
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "orders-db"},
		Spec:       corev1.ServiceSpec{ClusterIP: "10.96.33.6"},
	}
	endpoints := &corev1.Endpoints{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "orders-db", UID: "23800ecc",
			Labels: map[string]string{"app.kubernetes.io/part-of": "shop"},
		},
		Subsets: []corev1.EndpointSubset{{
			Addresses: []corev1.EndpointAddress{{IP: "192.168.1.100"}},
			Ports:     []corev1.EndpointPort{{Name: "mysql", Port: 3306}},
		}},
	}
	return service, endpoints
}

// An external database on 192.168.1.100:3306.
func ExampleFromEndpoints() {
	service, endpoints := database()
	endpoints.Subsets[0].Addresses = append(endpoints.Subsets[0].Addresses, corev1.EndpointAddress{IP: "192.168.1"})
	o := mirror.Options{ManagedBy: "mirrors.example.com", ReplacesKubernetes: true}
	in, err := mirror.FromEndpoints(endpoints, service, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], err)
	fmt.Println(plan.Warnings)
	// Output:
	// create orders-db-19lcprsp-ipv4 ipv4 mysql:3306: +192.168.1.100 (EndpointsAdded) <nil>
	// 192.168.1: InvalidIPAddress: Invalid value: "192.168.1": is not an IP: give one without port, prefix length and leading zeros
}

func ExampleToEndpoints() {
	no := false
	port := int32(80)
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "web-1", Labels: map[string]string{discoveryv1.LabelServiceName: "web"},
		},
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Port: &port}},
		Endpoints: []discoveryv1.Endpoint{
			{Addresses: []string{"10.0.0.2"}, Conditions: discoveryv1.EndpointConditions{Ready: &no}},
			{Addresses: []string{"10.0.0.1"}},
		},
	}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	service.Spec.Ports = []corev1.ServicePort{{Port: 80}}
	endpoints, left, err := mirror.ToEndpoints(service, []*discoveryv1.EndpointSlice{slice})
	for _, s := range endpoints.Subsets {
		fmt.Println(s.Ports[0].Port, "ready", s.Addresses[0].IP, "not ready", s.NotReadyAddresses[0].IP)
	}
	fmt.Println(len(left), err)
	// Output:
	// 80 ready 10.0.0.1 not ready 10.0.0.2
	// 0 <nil>
}

// Slices of one cluster are copied to another, where Pods have other addresses.
func ExampleFromSlices() {
	global, zone := map[string]string{"10.1.0.1": "242.0.1.1"}, "eu-1a"
	from := []*discoveryv1.EndpointSlice{{
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.1.0.1"}, Zone: &zone}},
	}}
	key := slicer.Key{Namespace: "shop", Name: "web", ManagedBy: "copies.example.com"}
	in, err := mirror.FromSlices(key, from, mirror.CopyOptions{
		Transform: func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
			address, ok := global[e.Addresses[0]]
			if !ok {
				return fmt.Errorf("%s has no address over here yet", e.Addresses[0])
			}
			e.Addresses[0] = address
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], err)
	// Output:
	// create web-ngt2cn6f-ipv4 ipv4 none: +242.0.1.1 (EndpointsAdded) <nil>
}

// BenchmarkFromEndpoints measures one sync of an Endpoints object that finds nothing to do.
func BenchmarkFromEndpoints(b *testing.B) {
	o := mirror.Options{ManagedBy: gen.Manager, ReplacesKubernetes: true}
	svc, _, _ := gen.Pods(0, 1)
	svc.Spec.Selector = nil
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprintf("addresses=%d", n), func(b *testing.B) {
			endpoints, _, err := mirror.ToEndpoints(svc, gen.Service(n).Existing)
			if err != nil {
				b.Fatal(err)
			}
			endpoints.Labels = nil // without the one that keeps controllers from mirroring it
			sync := func(existing []*discoveryv1.EndpointSlice) slicer.Plan {
				in, err := mirror.FromEndpoints(endpoints, svc, o)
				if err != nil {
					b.Fatal(err)
				}
				plan, err := slicer.Compute(in, existing)
				if err != nil {
					b.Fatal(err)
				}
				return plan
			}
			existing := sync(nil).After()
			b.ReportAllocs()
			for b.Loop() {
				if plan := sync(existing); len(existing) == 0 || len(plan.Steps) > 0 {
					b.Fatal(plan)
				}
			}
		})
	}
}
