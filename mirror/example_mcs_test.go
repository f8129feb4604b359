package mirror_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
)

func ExampleCopyName() {
	from := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-x7k2q"}}
	fmt.Println(mirror.CopyName(from, "east"))
	fmt.Println(mirror.CopyName(from, "eu.east"))
	// Output:
	// web-x7k2q.shop.east
	// web-x7k2q.72jdzku2duzxz4r6tgza4prs
}

// Cluster west exported first. Its port http wins over east's, and east's metrics joins it.
func ExampleMergeExports() {
	merged, err := mirror.MergeExports([]mirror.Export{
		{Cluster: "east", Created: time.Unix(20, 0), Ports: []corev1.ServicePort{{Name: "http", Port: 8080}, {Name: "metrics", Port: 9090}}},
		{Cluster: "west", Created: time.Unix(10, 0), Ports: []corev1.ServicePort{{Name: "http", Port: 80}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range merged.Ports {
		fmt.Println(p.Name, p.Port, p.Protocol)
	}
	for _, p := range merged.ByCluster["east"] {
		fmt.Println("from east:", p.Name)
	}
	for _, c := range merged.Conflicts {
		fmt.Printf("conflict in %s: %v\n", c.Cluster, c.Err)
	}
	// Output:
	// http 80 TCP
	// metrics 9090 TCP
	// from east: metrics
	// conflict in west: lacks metrics:9090
	// conflict in east: http:8080 gives way to http:80 of west; lacks http:80
}
