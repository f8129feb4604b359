package vms_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/slicewright/slicewright/examples/programs/vms"
	"github.com/slicewright/slicewright/slicer/publish"
)

// vm is a VirtualMachineInstance in a phase with these addresses, and a port http of this number.
func vm(name, phase string, port int64, addresses ...any) *unstructured.Unstructured {
	ports := []any{map[string]any{"name": "http", "port": port, "protocol": "TCP"}}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachineInstance",
		"metadata": map[string]any{"namespace": "shop", "name": name},
		"spec": map[string]any{"domain": map[string]any{"devices": map[string]any{
			"interfaces": []any{map[string]any{"name": "default", "ports": ports}},
		}}},
		"status": map[string]any{
			"phase": phase, "nodeName": "node-1",
			"interfaces": []any{map[string]any{"name": "default", "ipAddresses": addresses}},
			"conditions": []any{map[string]any{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"}},
		},
	}}
}

// Each family and each number of the named port has slices of its own, and a machine that does not
// run yet is left out.
func Example() {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}}
	svc.Spec.ClusterIP, svc.Spec.IPFamilies = "10.96.0.1", []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	svc.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}}
	client := fake.NewClientset()
	cache := informers.NewSharedInformerFactory(client, 0).Discovery().V1().EndpointSlices()
	syncer := publish.New(publish.ClientSlices(client.DiscoveryV1().EndpointSlices, cache.Lister().EndpointSlices, nil),
		vms.Options)
	fmt.Println(vms.Sync(context.Background(), syncer, svc, []*unstructured.Unstructured{
		vm("well", "Running", 8080, "10.0.0.1", "fd00::1"),
		vm("other-number", "Running", 9090, "10.0.0.2", "fd00::2"),
		vm("starting", "Scheduled", 8080, "10.0.0.3", "fd00::3"),
	}))
	list, err := client.DiscoveryV1().EndpointSlices("shop").List(context.Background(), metav1.ListOptions{})
	for _, s := range list.Items {
		e := s.Endpoints[0]
		fmt.Println(e.TargetRef.Kind, e.TargetRef.Name, e.Addresses, *s.Ports[0].Port, *e.Conditions.Ready, *e.NodeName)
	}
	fmt.Println(err)
	// Output:
	// <nil>
	// VirtualMachineInstance well [10.0.0.1] 8080 true node-1
	// VirtualMachineInstance other-number [10.0.0.2] 9090 true node-1
	// VirtualMachineInstance well [fd00::1] 8080 true node-1
	// VirtualMachineInstance other-number [fd00::2] 9090 true node-1
	// <nil>
}
