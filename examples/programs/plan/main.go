// Plan prints what a controller would write for a Service with one Pod. It needs no cluster.
package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

func main() {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}}
	svc.Spec = corev1.ServiceSpec{ClusterIP: "10.96.0.1", Selector: map[string]string{"app": "web"}}
	svc.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: 80}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: svc.Spec.Selector}}
	pod.Status.PodIPs = []corev1.PodIP{{IP: "10.0.0.1"}}
	o := services.Options{ManagedBy: "slices.example.com", ReplacesKubernetes: true} // see below
	in, err := services.FromPods(svc, []*corev1.Pod{pod}, nil, o)
	if err != nil {
		panic(err)
	}
	plan, err := slicer.Compute(in, nil) // nil: there are no slices yet
	fmt.Println(plan.Steps, err)
	// [create web-jzl0q9xx-ipv4 ipv4 http:80: +10.0.0.1{!ready} (EndpointsAdded)] <nil>
}
