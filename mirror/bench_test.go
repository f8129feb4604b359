package mirror_test

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
)

// BenchmarkFloor is what the others are held against, in the same run.
func BenchmarkFloor(b *testing.B) {
	for _, n := range gen.Sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) { gen.Floor(b, n) })
	}
}

// BenchmarkCompute is all that a controller does for Endpoints whose mirrors are as they should be: FromEndpoints and
// slicer.Compute. The bar: n=1000 takes at most 6 floors.
func BenchmarkCompute(b *testing.B) {
	for _, n := range gen.Sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			existing, endpoints := stored(b, benchEndpoints(n)), benchEndpoints(n)
			b.ReportAllocs()
			for b.Loop() {
				plan, err := mirror.Plan(endpoints, benchService(), existing, options)
				if err != nil || !plan.Empty() {
					b.Fatal(err, plan)
				}
			}
			gen.PerEndpoint(b, n)
		})
	}
}

// benchEndpoints are the Endpoints of n Pods, 1000 on each port, a tenth of them not ready, all with Node and target.
func benchEndpoints(n int) *corev1.Endpoints {
	e := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "orders-db", UID: "e-1", Labels: map[string]string{"app": "orders"},
	}}
	for i := range n {
		if i%1000 == 0 {
			port := corev1.EndpointPort{Name: "mysql", Port: int32(3306 + i/1000), Protocol: corev1.ProtocolTCP}
			e.Subsets = append(e.Subsets, corev1.EndpointSubset{Ports: []corev1.EndpointPort{port}})
		}
		subset := &e.Subsets[i/1000]
		node := fmt.Sprintf("node-%d", i%500)
		a := corev1.EndpointAddress{IP: gen.Address(i), NodeName: &node, TargetRef: &corev1.ObjectReference{
			Kind: "Pod", Namespace: "shop", Name: fmt.Sprintf("orders-db-%05d", i),
			UID: types.UID(fmt.Sprintf("1f0c5a2e-0000-4000-8000-%012d", i)),
		}}
		if i%10 == 9 {
			subset.NotReadyAddresses = append(subset.NotReadyAddresses, a)
		} else {
			subset.Addresses = append(subset.Addresses, a)
		}
	}
	return e
}

func benchService() *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "orders-db"},
		Spec:       corev1.ServiceSpec{ClusterIP: "10.96.33.6"},
	}
}

// stored are the mirrors of Endpoints as an API server has them, 100 addresses each.
func stored(tb testing.TB, e *corev1.Endpoints) []*discoveryv1.EndpointSlice {
	in, err := mirror.FromEndpoints(e, benchService(), options)
	if err != nil {
		tb.Fatal(err)
	}
	in.Options.MaxEndpointsPerSlice = 100
	plan, err := slicer.Compute(in, nil)
	if err != nil {
		tb.Fatal(err)
	}
	var all []*discoveryv1.EndpointSlice
	for i, s := range plan.After() {
		s = s.DeepCopy() // an API server's answer has memory of its own
		s.ResourceVersion = fmt.Sprint(i + 1)
		all = append(all, s)
	}
	return all
}
