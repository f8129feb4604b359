package slicer_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

func exampleService() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "3f1c"},
		Spec: corev1.ServiceSpec{
			ClusterIP: "10.96.0.1", IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
			Selector: map[string]string{"app": "web"},
			Ports:    []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}},
		},
	}
}

func examplePod(name, ip string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			NodeName:   "node-1",
			Containers: []corev1.Container{{Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}}},
		},
		Status: corev1.PodStatus{
			PodIPs:     []corev1.PodIP{{IP: ip}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
}

func ExampleFromService() {
	nodes := map[string]*corev1.Node{
		"node-1": {ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{corev1.LabelTopologyZone: "north"}}},
	}
	pods := []*corev1.Pod{examplePod("web-1", "10.0.0.1"), examplePod("web-2", "")}
	pods[1].Status.PodIPs = nil // not started yet

	in, skips, err := slicer.FromService(exampleService(), pods,
		func(name string) *corev1.Node { return nodes[name] },
		slicer.ServiceOptions{ManagedBy: "slices.example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	in.Existing = nil // what the API server has
	plan, err := slicer.Compute(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan)
	for _, s := range skips {
		fmt.Println(s)
	}
	// Output:
	// create web-jzl0q-ipv4 ipv4 http:8080: +10.0.0.1 (endpoints-added)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// pods[1] shop/web-2: no-address
}

// A Service may be one that is not to be managed: that is no failure, and nothing to try again.
func ExampleFromService_notManaged() {
	svc := exampleService()
	svc.Spec.Selector = nil
	_, _, err := slicer.FromService(svc, nil, nil, slicer.ServiceOptions{})
	var invalid *field.Error
	if errors.As(err, &invalid) && invalid.Type == field.ErrorTypeForbidden {
		fmt.Println("leave it alone:", invalid.Field)
	}
	// Output: leave it alone: service.spec.selector
}

// Addresses of a second network come from wherever its plugin notes them.
func ExampleServiceOptions_addresses() {
	pod := examplePod("web-1", "10.0.0.1")
	pod.Annotations = map[string]string{"example.com/second-network": "172.16.0.1"}
	in, _, err := slicer.FromService(exampleService(), []*corev1.Pod{pod}, nil, slicer.ServiceOptions{
		ManagedBy: "second-network.example.com",
		Addresses: func(pod *corev1.Pod) ([]string, error) {
			return []string{pod.Annotations["example.com/second-network"]}, nil
		},
	})
	fmt.Println(in.Groups[0].Endpoints[0].Addresses, err)
	// Output: [172.16.0.1] <nil>
}

// Virtual machines behind a Service; one of them listens on another port.
func ExampleScratch() {
	o := slicer.ServiceOptions{ManagedBy: "slices.example.com", Selected: true, Scratch: &slicer.Scratch{}}
	var slices []*discoveryv1.EndpointSlice
	for _, ip := range []string{"10.0.0.1", "10.0.0.2"} { // a worker syncs one Service after the other
		in, _, err := slicer.FromService(exampleService(), []*corev1.Pod{examplePod("web-1", ip)}, nil, o)
		if err != nil {
			fmt.Println(err)
			return
		}
		in.Existing = slices
		plan, err := slicer.Compute(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(plan)
		slices = plan.After()
	}
	// Output:
	// create web-jzl0q-ipv4 ipv4 http:8080: +10.0.0.1 (endpoints-added)
	// total 1 write (1 create), endpoints +1 -0 ~0
	// update web-jzl0q-ipv4: -10.0.0.1 +10.0.0.2 (endpoints-added, endpoints-removed)
	// total 1 write (1 update), endpoints +1 -1 ~0
}

func ExampleInput_Expanded() {
	in, _, err := slicer.FromService(exampleService(), []*corev1.Pod{examplePod("web-1", "10.0.0.1")}, nil,
		slicer.ServiceOptions{Scratch: &slicer.Scratch{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(in.Groups), "groups")
	in, err = in.Expanded()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(in.Groups), "group:", in.Groups[0].Endpoints[0].Addresses)
	// Output:
	// 0 groups
	// 1 group: [10.0.0.1]
}

func ExampleFromBackends() {
	in, skips, err := slicer.FromBackends(exampleService(), []slicer.Backend{
		{Addresses: []string{"192.0.2.1"}, Ready: true, Ports: []slicer.BackendPort{{Name: "http", Port: 80}}},
		{Addresses: []string{"192.0.2.2"}, Ready: true, Ports: []slicer.BackendPort{{Name: "http", Port: 8080}}},
		{Addresses: []string{"192.0.2.3"}, Ready: true},
	}, slicer.ServiceOptions{ManagedBy: "vms.example.com", UnresolvedPort: slicer.SkipUnresolved})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, group := range in.Groups {
		fmt.Println(*group.Ports[0].Port, group.Endpoints[0].Addresses)
	}
	fmt.Println(skips)
	// Output:
	// 80 [192.0.2.1]
	// 8080 [192.0.2.2]
	// [backends[2]: port-missing http/TCP]
}

func ExampleSkip_String() {
	fmt.Println(slicer.Skip{Index: 4, Pod: examplePod("web-1", ""), Reason: slicer.NodeMissing})
	// Output: pods[4] shop/web-1: node-missing "node-1"
}

func ExampleSkip_Detail() {
	s := slicer.Skip{Index: 4, Pod: examplePod("web-1", ""), Reason: slicer.NoAddressOfType, AddressType: discoveryv1.AddressTypeIPv6}
	fmt.Println(s.Reason, s.Detail())
	// Output: no-address-of-type IPv6
}

func ExampleSkipReason_String() {
	fmt.Println(slicer.NoAddressOfType, slicer.PublishWithoutZone, slicer.SkipUnresolved)
	// Output: no-address-of-type publish-without-zone skip-unresolved
}

func ExampleSkipReason_MarshalText() {
	text, err := slicer.NotSelected.MarshalText()
	fmt.Println(string(text), err)
	// Output: not-selected <nil>
}

func ExampleSkipReason_UnmarshalText() {
	var reason slicer.SkipReason
	fmt.Println(reason.UnmarshalText([]byte("no-address")), reason == slicer.NoAddress)
	// Output: <nil> true
}

func ExampleMissingNode_UnmarshalText() {
	var o slicer.ServiceOptions
	fmt.Println(o.MissingNode.UnmarshalText([]byte("publish-without-zone")), o.MissingNode == slicer.PublishWithoutZone)
	fmt.Println(o.MissingNode.UnmarshalText([]byte("wait")))
	// Output:
	// <nil> true
	// slicer: "wait" is no MissingNode: use one of skip-without-node, publish-without-zone
}

func ExampleUnresolvedPort_UnmarshalText() {
	var o slicer.ServiceOptions
	fmt.Println(o.UnresolvedPort.UnmarshalText([]byte("skip-unresolved")), o.UnresolvedPort == slicer.SkipUnresolved)
	// Output: <nil> true
}
