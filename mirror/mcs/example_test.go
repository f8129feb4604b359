package mcs_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
)

// exampleExports are of a headless Service, whose ports and session affinity are in conflict. west
// has exported it first.
func exampleExports() []mcs.Export {
	return []mcs.Export{
		{Cluster: "west", Created: time.Unix(10, 0), Ports: []corev1.ServicePort{{Name: "http", Port: 80}},
			Traffic: mcs.Traffic{SessionAffinity: corev1.ServiceAffinityClientIP}},
		{Cluster: "east", Created: time.Unix(20, 0), Ports: []corev1.ServicePort{{Name: "http", Port: 81}}},
	}
}

func ExampleMergeExports() {
	merged, err := mcs.MergeExports(exampleExports(), mcs.Union)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(merged.Ports[0].Name, merged.Ports[0].Port, merged.Traffic.SessionAffinity) // of the ServiceImport
	for _, c := range merged.Conflicts {
		fmt.Printf("condition Conflict, because of %s: %v: %v\n", c.Cluster, c.Reasons, c.Err)
	}
	// Output:
	// http 80 ClientIP
	// condition Conflict, because of east: [PortConflict SessionAffinityConflict]: http:81 gives way to http:80 of west; does not have http:80; sessionAffinity "None" gives way to "ClientIP" of west
}

// The slices of one cluster for a ServiceImport. A controller does this for each cluster of the
// exports and of the slices here; of one that has taken its export back, without slices, so that
// the plan deletes them. Zones are kept, for readers that prefer their own: map or drop them where
// a zone of one cluster is not that of the other.
func ExamplePlanImport() {
	merged, err := mcs.MergeExports(exampleExports(), mcs.Union)
	if err != nil {
		fmt.Println(err)
		return
	}
	name, port := "http", int32(9090)
	west := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4,
		Ports: []discoveryv1.EndpointPort{{Name: &name, Port: &port}},
		Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.2.0.1"},
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Name: "db-0"}}}}
	of := mcs.Import{
		Namespace: "shop", Name: "db", Cluster: "west", ManagedBy: "mcs.example.com", Traffic: merged.Traffic,
		Owner: metav1.OwnerReference{APIVersion: "multicluster.x-k8s.io/v1beta1", Kind: "ServiceImport", Name: "db",
			UID: "81fc"},
	}
	plan, err := mcs.PlanImport(of, merged.ByCluster["west"], []*discoveryv1.EndpointSlice{west}, nil,
		mirror.CopyOptions{Zone: mirror.Keep, HostnameFromPod: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Steps[0])
	e := plan.Steps[0].New.Endpoints[0]
	fmt.Printf("%s.west.db.shop.svc.clusterset.local is %s\n", *e.Hostname, e.Addresses[0])
	// Output:
	// create db-5zk3m13c-ipv4 ipv4 http:9090: +10.2.0.1 (EndpointsAdded)
	// db-0.west.db.shop.svc.clusterset.local is 10.2.0.1
}

// The set says which slices a Syncer reads and writes: its function Sync takes it, and a function
// that calls PlanImport.
func ExampleImport_Set() {
	set := mcs.Import{Namespace: "shop", Name: "db", Cluster: "west", ManagedBy: "mcs.example.com"}.Set()
	fmt.Println(set.Namespace, set.ManagedBy)
	for _, label := range slices.Sorted(maps.Keys(set.Key)) {
		fmt.Println(label, set.Key[label])
	}
	// Output:
	// shop mcs.example.com
	// multicluster.kubernetes.io/service-name db
	// multicluster.kubernetes.io/source-cluster west
}
