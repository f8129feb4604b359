package mirror_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
)

// A headless Service is exported by two clusters, whose ports and session affinity are in conflict: west has exported it first. Then west takes its
// export back. A controller does all of this for each ServiceImport, with what it lists.
func ExamplePlanImport() {
	pods := func(port int32, addresses ...string) *discoveryv1.EndpointSlice {
		name := "http"
		s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: &name, Port: &port}}}
		for i, a := range addresses {
			pod := &corev1.ObjectReference{Kind: "Pod", Name: fmt.Sprintf("db-%d", i)}
			s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}, TargetRef: pod})
		}
		return s
	}
	slices := map[string][]*discoveryv1.EndpointSlice{"east": {pods(8080, "10.1.0.1")}, "west": {pods(9090, "10.2.0.1", "10.2.0.2")}}
	exports := []mirror.Export{
		{Cluster: "west", Created: time.Unix(10, 0), Ports: []corev1.ServicePort{{Name: "http", Port: 80}},
			Traffic: mirror.Traffic{SessionAffinity: corev1.ServiceAffinityClientIP}},
		{Cluster: "east", Created: time.Unix(20, 0), Ports: []corev1.ServicePort{{Name: "http", Port: 81}}},
	}
	// Zones are kept, for readers that prefer their own. Map or drop them where a zone of one cluster is not that of the other.
	o := mirror.CopyOptions{Zone: mirror.Keep, HostnameFromPod: true}
	here := map[string][]*discoveryv1.EndpointSlice{} // what the API server of this cluster has
	sync := func(exports []mirror.Export) {
		merged, err := mirror.MergeExports(exports)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, c := range merged.Conflicts {
			fmt.Printf("condition Conflict, because of %s: %v: %v\n", c.Cluster, c.Reasons, c.Err)
		}
		for _, cluster := range []string{"east", "west"} { // those of the exports, and of the slices here
			plan, err := mirror.PlanImport(mirror.Import{
				Namespace: "shop", Name: "db", Cluster: cluster, ManagedBy: "mcs.example.com",
				Owner:   metav1.OwnerReference{APIVersion: "multicluster.x-k8s.io/v1beta1", Kind: "ServiceImport", Name: "db", UID: "81fc"},
				Traffic: merged.Traffic,
			}, merged.ByCluster[cluster], slices[cluster], here[cluster], o)
			if err != nil {
				fmt.Println(err)
				return
			}
			for _, step := range plan.Steps {
				fmt.Println(cluster+":", step)
			}
			here[cluster] = plan.After() // apply the steps to the API server instead
		}
	}
	sync(exports)
	for _, e := range here["west"][0].Endpoints {
		fmt.Printf("%s.west.db.shop.svc.clusterset.local is %s\n", *e.Hostname, e.Addresses[0])
	}
	slices["west"] = nil
	sync(exports[1:])
	// Output:
	// condition Conflict, because of east: [PortConflict SessionAffinityConflict]: http:81 gives way to http:80 of west; lacks http:80; sessionAffinity "None" gives way to "ClientIP" of west
	// west: create db-5zk3m13c-ipv4 ipv4 http:9090: +10.2.0.1 +10.2.0.2 (EndpointsAdded)
	// db-0.west.db.shop.svc.clusterset.local is 10.2.0.1
	// db-1.west.db.shop.svc.clusterset.local is 10.2.0.2
	// east: create db-mr6vqbzk-ipv4 ipv4 http:8080: +10.1.0.1 (EndpointsAdded)
	// west: delete db-5zk3m13c-ipv4: -10.2.0.1 -10.2.0.2 (NothingLeft)
}
