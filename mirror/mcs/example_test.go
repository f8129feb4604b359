package mcs_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
)

// exampleExports are of a Service whose ports and session affinity are in conflict. west has
// exported it first.
func exampleExports() []mcs.Export {
	port := func(number int32) []corev1.ServicePort { return []corev1.ServicePort{{Name: "http", Port: number}} }
	return []mcs.Export{
		{Cluster: "west", CreationTimestamp: time.Unix(10, 0), Spec: corev1.ServiceSpec{
			Ports: port(80), SessionAffinity: corev1.ServiceAffinityClientIP,
		}},
		{Cluster: "east", CreationTimestamp: time.Unix(20, 0), Spec: corev1.ServiceSpec{Ports: port(81)}},
	}
}

func ExampleMergeExports() {
	merged, err := mcs.MergeExports(exampleExports())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(merged.Spec.Ports[0].Name, merged.Spec.Ports[0].Port, merged.Spec.SessionAffinity)
	for _, c := range merged.Conflicts {
		fmt.Printf("condition Conflict, because of %s: %v: %s\n", c.Cluster, c.Reasons, c.Message)
	}
	// Output:
	// http 80 ClientIP
	// condition Conflict, because of east: [PortConflict SessionAffinityConflict]: http:81 gives way to http:80 of west; does not have http:80; sessionAffinity "None" gives way to "ClientIP" of west
}

// The slices of one cluster for a ServiceImport. A controller does this for each cluster of the
// exports. For a cluster that has taken its export back, it calls Remove with Import.Key.
func ExampleFromSlices() {
	merged, err := mcs.MergeExports(exampleExports())
	if err != nil {
		fmt.Println(err)
		return
	}
	name, port := "http", int32(9090)
	west := &discoveryv1.EndpointSlice{
		AddressType: discoveryv1.AddressTypeIPv4,
		Ports:       []discoveryv1.EndpointPort{{Name: &name, Port: &port}},
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"10.2.0.1"}}},
	}
	of := mcs.Import{
		Namespace: "shop", Name: "db", Cluster: "west", ManagedBy: "mcs.example.com", Spec: merged.Spec,
		Owner: metav1.OwnerReference{APIVersion: "multicluster.x-k8s.io/v1beta1", Kind: "ServiceImport", Name: "db", UID: "81fc"},
	}
	of.Spec.Ports = merged.ByCluster["west"]
	in, err := mcs.FromSlices(of, []*discoveryv1.EndpointSlice{west}, mirror.CopyOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := slicer.Compute(in, nil)
	fmt.Println(plan.Steps[0], err)
	// Output:
	// create db-5zk3m13c-ipv4 ipv4 http:9090: +10.2.0.1 (EndpointsAdded) <nil>
}
