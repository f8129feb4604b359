package dedup_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// A proxy in zone-b asks for the endpoints of one port that it may use.
func ExampleOnePort() {
	a, b := slice("web-a", "10.0.0.10", "10.0.0.2"), slice("web-b", "10.0.0.2", "10.0.0.256")
	for i, zone := range []string{"zone-a", "zone-b"} {
		a.Endpoints[i].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
	}
	found, problems := dedup.OnePort([]*discoveryv1.EndpointSlice{a, b}, dedup.PortOptions{Port: "http"})
	if err := problems.Err(); err != nil {
		fmt.Println(err) // what was set aside; the rest is good
	}
	for _, f := range found {
		fmt.Println(f.Address, f.Port, "from", f.Slice.Name)
	}
	routes := hints.Route(found, dedup.Found.Candidate, hints.Location{Zone: "zone-b"}, hints.Policy{})
	fmt.Println(len(routes.Cluster), "for zone-b:", routes.Cluster[0].Address)
	// Output:
	// default/web-b: endpoints[1].addresses[0]: Invalid value: "10.0.0.256": must be an address of the slice's type
	// 10.0.0.2 8080 from web-a
	// 10.0.0.10 8080 from web-a
	// 1 for zone-b: 10.0.0.2
}

// Some readers take the Service's targetPort where a slice has no ports, and leave out a slice that has others.
func ExamplePortOptions() {
	withoutPorts := slice("web-a", "10.0.0.1")
	withoutPorts.Ports = nil
	targetPort := int32(9090)
	found, _ := dedup.OnePort([]*discoveryv1.EndpointSlice{withoutPorts, slice("web-b", "10.0.0.2")}, dedup.PortOptions{
		Port: "http", Protocol: corev1.ProtocolTCP,
		Else: func(s *discoveryv1.EndpointSlice, match dedup.PortMatch) int32 {
			if match == dedup.NoPorts {
				return targetPort
			}
			return 0
		},
	})
	for _, f := range found {
		fmt.Println(f.Address, f.Port)
	}
	// Output:
	// 10.0.0.1 9090
	// 10.0.0.2 8080
}

func ExampleView_Problems_err() {
	unlabelled := slice("web-a", "10.0.0.1")
	unlabelled.Labels = nil
	view := dedup.Merge([]*discoveryv1.EndpointSlice{unlabelled}, dedup.Options{})
	fmt.Println(view.Problems().Err())
	// Output: default/web-a: metadata.labels[kubernetes.io/service-name]: Required value: name the Service that the slice belongs to
}
