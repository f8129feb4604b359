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
func ExamplePlan() {
	service, endpoints := database()
	endpoints.Subsets[0].Addresses = append(endpoints.Subsets[0].Addresses, corev1.EndpointAddress{IP: "192.168.1"})

	var existing []*discoveryv1.EndpointSlice // what the API server has in this namespace
	plan, err := mirror.Plan(endpoints, service, existing, mirror.Options{ManagedBy: "mirrors.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Steps[0])
	fmt.Println(plan.Warnings())
	// Output:
	// create orders-db-19lcprsp-ipv4 ipv4 mysql:3306: +192.168.1.100 (EndpointsAdded)
	// 192.168.1: InvalidAddress: Invalid value: "192.168.1": is not an IP: give one without port, prefix length and leading zeros
}

// A caller who wants slices of 100 endpoints, as the EndpointSlice controller makes them, changes
// the input before it is planned.
func ExampleFromEndpoints() {
	service, endpoints := database()
	in, err := mirror.FromEndpoints(endpoints, service, mirror.Options{ManagedBy: "mirrors.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Options.MaxEndpointsPerSlice = 100
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], err)
	// Output:
	// create orders-db-19lcprsp-ipv4 ipv4 mysql:3306: +192.168.1.100 (EndpointsAdded) <nil>
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
	endpoints, skips, err := mirror.ToEndpoints([]*discoveryv1.EndpointSlice{
		slice(81, discoveryv1.Endpoint{Addresses: []string{"10.0.0.3"}}),
		slice(80,
			discoveryv1.Endpoint{Addresses: []string{"10.0.0.2"},
				Conditions: discoveryv1.EndpointConditions{Ready: &no}},
			discoveryv1.Endpoint{Addresses: []string{"10.0.0.1"}},
			discoveryv1.Endpoint{Addresses: []string{"10.0.0.4"},
				Conditions: discoveryv1.EndpointConditions{Ready: &no, Serving: &yes, Terminating: &yes}},
		),
	}, mirror.ViewOptions{})
	fmt.Println(endpoints.Namespace, endpoints.Name)
	for _, s := range endpoints.Subsets {
		fmt.Println(s.Ports[0].Port, "ready", len(s.Addresses), "not ready", len(s.NotReadyAddresses))
	}
	fmt.Println(skips, err)
	// Output:
	// shop web
	// 80 ready 1 not ready 1
	// 81 ready 1 not ready 0
	// [10.0.0.4: Terminating: Invalid value: true: Endpoints do not show what is being deleted] <nil>
}

var errNoAddress = errors.New("it has no address over here yet")

// Slices of one cluster are copied to another, where Pods have other addresses.
func ExamplePlanCopy() {
	global, zone := map[string]string{"10.1.0.1": "242.0.1.1"}, "eu-1a"
	from := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Endpoints: []discoveryv1.Endpoint{
		{Addresses: []string{"10.1.0.1"}, Zone: &zone}, {Addresses: []string{"10.1.0.2"}, Zone: &zone},
	}}
	set := slicer.Set{Namespace: "shop", Name: "web", ManagedBy: "copies.example.com"}
	plan, err := mirror.PlanCopy(set, []*discoveryv1.EndpointSlice{from}, nil, mirror.CopyOptions{
		Zone: mirror.Map, ZoneNames: map[string]string{"eu-1a": "europe"},
		Transform: func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
			ip, ok := global[e.Addresses[0]]
			if !ok {
				return errNoAddress
			}
			e.Addresses[0] = ip
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Steps[0], "zone", *plan.Steps[0].New.Endpoints[0].Zone)
	fmt.Println(plan.Warnings(), "- try again:", errors.Is(plan.Warnings()[0], errNoAddress)) // return it to the queue
	// Output:
	// create web-ngt2cn6f-ipv4 ipv4 none: +242.0.1.1 (EndpointsAdded) zone europe
	// 10.1.0.2: Dropped: it has no address over here yet - try again: true
}

// Values are stored in slices, so that no later version chooses other ones.
func ExampleLabelValue() {
	fmt.Println(mirror.LabelValue("orders-db"))
	fmt.Println(mirror.LabelValue("orders-db." + strings.Repeat("very-", 20) + "long"))
	// Output:
	// orders-db
	// orders-db.very-very-very-very-very-ver_75i2pypwnnhzaevne74tyrgz
}
