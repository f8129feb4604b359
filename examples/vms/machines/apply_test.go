package machines

import (
	"context"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	controllerfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/slicewright/slicewright/slicer"
)

// exampleSlices returns web-a [10.0.0.1] and web-b [10.0.0.2] of a set with one endpoint for each slice.
func exampleSlices() []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for i, name := range []string{"web-a", "web-b"} {
		list = append(list, &discoveryv1.EndpointSlice{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, ResourceVersion: "7", Labels: map[string]string{
				discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: ManagedBy,
			}},
			AddressType: discoveryv1.AddressTypeIPv4,
			Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{fmt.Sprintf("10.0.0.%d", i+1)}}},
		})
	}
	return list
}

// examplePlan wants these addresses in slices that hold one endpoint each, except that the IPv6 one is new.
func examplePlan() slicer.Plan {
	plan, err := slicer.Compute(slicer.Input{
		Set: slicer.Set{Namespace: "shop", Name: "web", ManagedBy: ManagedBy},
		Groups: []slicer.Group{
			{AddressType: discoveryv1.AddressTypeIPv4, Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.3"}}}},
			{AddressType: discoveryv1.AddressTypeIPv6, Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"fd00::3"}}}},
		},
	}, exampleSlices())
	if err != nil {
		panic(err)
	}
	return plan
}

// Apply with controller-runtime: the client is the manager's.
func Example_controllerRuntime() {
	ctx, stored := context.Background(), exampleSlices()
	c := controllerfake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(stored[0], stored[1]).Build()
	err := examplePlan().Apply(slicer.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error { return c.Create(ctx, s) },
		Update: func(s *discoveryv1.EndpointSlice) error { return c.Update(ctx, s) },
		Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return c.Delete(ctx, s, client.Preconditions(*p))
		},
	})
	fmt.Println(err)
	var list discoveryv1.EndpointSliceList
	fmt.Println(c.List(ctx, &list))
	for _, s := range list.Items {
		fmt.Println(s.AddressType, s.Endpoints[0].Addresses)
	}
	// Output:
	// <nil>
	// <nil>
	// IPv4 [10.0.0.3]
	// IPv6 [fd00::3]
}

// Apply with a dynamic client, which wants each object as a map with its kind.
func Example_dynamic() {
	ctx, stored := context.Background(), exampleSlices()
	clientset := dynamicfake.NewSimpleDynamicClient(scheme.Scheme, stored[0], stored[1])
	api := clientset.Resource(discoveryv1.SchemeGroupVersion.WithResource("endpointslices")).Namespace("shop")
	object := func(s *discoveryv1.EndpointSlice) (*unstructured.Unstructured, error) {
		m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(s)
		u := &unstructured.Unstructured{Object: m}
		u.SetGroupVersionKind(discoveryv1.SchemeGroupVersion.WithKind("EndpointSlice"))
		return u, err
	}
	err := examplePlan().Apply(slicer.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error {
			u, err := object(s)
			if err == nil {
				_, err = api.Create(ctx, u, metav1.CreateOptions{})
			}
			return err
		},
		Update: func(s *discoveryv1.EndpointSlice) error {
			u, err := object(s)
			if err == nil {
				_, err = api.Update(ctx, u, metav1.UpdateOptions{})
			}
			return err
		},
		Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return api.Delete(ctx, s.Name, metav1.DeleteOptions{Preconditions: p})
		},
	})
	fmt.Println(err)
	for _, action := range clientset.Actions() {
		fmt.Println(action.GetVerb())
	}
	// Output:
	// <nil>
	// create
	// update
	// delete
}
