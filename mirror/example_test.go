package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
			Namespace: "shop", Name: "orders-db", UID: "23800ecc", Labels: map[string]string{"app.kubernetes.io/part-of": "shop"},
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

	in, report, err := mirror.FromEndpoints(endpoints, service, mirror.Options{ManagedBy: "mirrors.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var existing []*discoveryv1.EndpointSlice // what the API server has in this namespace
	plan, err := slicer.Compute(in, existing)
	fmt.Print(plan)
	fmt.Println(report, err)
	fmt.Println(report.Skipped[0].Err.Field)
	// Output:
	// create orders-db-19lcp-ipv4 ipv4 mysql:3306: +192.168.1.100 (endpoints-added)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// 1 taken; skipped: invalid-address 1 <nil>
	// subsets[0].addresses[1].ip
}

// The Service has got a selector: its mirrors go, and slices of other managers stay.
func ExampleFromEndpoints_ineligible() {
	service, endpoints := database()
	service.Spec.Selector = map[string]string{"app": "mysql"}

	in, _, _ := mirror.FromEndpoints(endpoints, service, mirror.Options{ManagedBy: "mirrors.example.com"})
	var existing []*discoveryv1.EndpointSlice
	for _, manager := range []string{"mirrors.example.com", "endpointslice-controller.k8s.io"} {
		existing = append(existing, &discoveryv1.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: strings.Split(manager, ".")[0], Labels: map[string]string{
				discoveryv1.LabelManagedBy: manager, discoveryv1.LabelServiceName: "orders-db",
			}},
			AddressType: discoveryv1.AddressTypeIPv4,
			Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"192.168.1.100"}}},
		})
	}
	plan, err := slicer.Compute(in, existing)
	fmt.Print(plan)
	fmt.Println(err)
	// Output:
	// delete mirrors: -192.168.1.100 (nothing-left)
	// ignored endpointslice-controller (foreign)
	// total 1 write (1 delete), endpoints +0 -1 ~0
	// <nil>
}

func ExampleEligible() {
	service, endpoints := database()
	fmt.Println(mirror.Eligible(endpoints, service))
	endpoints.Labels[discoveryv1.LabelSkipMirror] = "true"
	fmt.Println(mirror.Eligible(endpoints, service))
	fmt.Println(mirror.Eligible(nil, service))
	// Output:
	// true Mirrored
	// false SkipMirror
	// false NoEndpoints
}

func ExampleToEndpoints() {
	yes, no := true, false
	slice := func(port int32, endpoints ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
		return &discoveryv1.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("web-", port),
				Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
			AddressType: discoveryv1.AddressTypeIPv4,
			Ports:       []discoveryv1.EndpointPort{{Port: &port}},
			Endpoints:   endpoints,
		}
	}
	endpoints, report, err := mirror.ToEndpoints([]*discoveryv1.EndpointSlice{
		slice(81, discoveryv1.Endpoint{Addresses: []string{"10.0.0.3"}}),
		slice(80,
			discoveryv1.Endpoint{Addresses: []string{"10.0.0.2"}, Conditions: discoveryv1.EndpointConditions{Ready: &no}},
			discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}},
			discoveryv1.Endpoint{Addresses: []string{"10.0.0.4"},
				Conditions: discoveryv1.EndpointConditions{Ready: &no, Serving: &yes, Terminating: &yes}},
		),
	}, mirror.ViewOptions{})
	fmt.Println(endpoints.Namespace, endpoints.Name)
	for _, s := range endpoints.Subsets {
		fmt.Println(s.Ports[0].Port, "ready", ips(s.Addresses), "not ready", ips(s.NotReadyAddresses))
	}
	fmt.Println(report, err)
	// Output:
	// shop web
	// 80 ready [10.0.0.1] not ready [10.0.0.2]
	// 81 ready [10.0.0.3] not ready []
	// 3 taken; skipped: terminating 1 <nil>
}

func ips(addresses []corev1.EndpointAddress) []string {
	list := []string{}
	for _, a := range addresses {
		list = append(list, a.IP)
	}
	return list
}

// Slices of one cluster are copied to another, where Pods have other addresses.
func ExampleFromSlices() {
	errNoGlobalIP := errors.New("no global IP yet")
	global := map[string]string{"10.1.0.1": "242.0.1.1"}
	zone, port := "eu-1a", int32(80)
	from := &discoveryv1.EndpointSlice{
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Port: &port}},
		Endpoints: []discoveryv1.Endpoint{
			{Addresses: []string{"10.1.0.1"}, Zone: &zone}, {Addresses: []string{"10.1.0.2"}, Zone: &zone},
		},
	}
	in, report, err := mirror.FromSlices(
		slicer.Set{Namespace: "shop", Name: "web", ManagedBy: "copies.example.com"},
		[]*discoveryv1.EndpointSlice{from},
		mirror.CopyOptions{
			Zone: mirror.Map, ZoneNames: map[string]string{"eu-1a": "europe"},
			Transform: func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
				ip, ok := global[e.Addresses[0]]
				if !ok {
					return errNoGlobalIP
				}
				e.Addresses[0] = ip
				return nil
			},
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := slicer.Compute(in, nil)
	fmt.Print(plan)
	fmt.Println("zone", *plan.Steps[0].New.Endpoints[0].Zone)
	fmt.Println(report, err, errors.Is(report.Skipped[0].Cause, errNoGlobalIP))
	// Output:
	// create web-ngt2c-ipv4 ipv4 :80: +242.0.1.1 (endpoints-added)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// zone europe
	// 1 taken; skipped: dropped 1 <nil> true
}

func ExampleLabelValue() {
	fmt.Println(mirror.LabelValue("orders-db"))
	fmt.Println(mirror.LabelValue("orders-db." + strings.Repeat("very-", 20) + "long"))
	// Output:
	// orders-db
	// orders-db.very-very-very-very-very-ver_75i2pypwnnhzaevne74tyrgz
}
