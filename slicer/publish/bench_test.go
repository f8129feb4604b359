package publish_test

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

func benchWorld(n int) (*corev1.Service, []*corev1.Pod, []*discoveryv1.EndpointSlice) {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}, Spec: corev1.ServiceSpec{
		ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"}, IPFamilies: []corev1.IPFamily{"IPv4"},
		Selector: map[string]string{"app": "web"}, Ports: []corev1.ServicePort{{Port: 80}},
	}}
	var pods []*corev1.Pod
	for i := range n {
		pods = append(pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint("pod-", i)), Labels: svc.Spec.Selector},
			Spec:       corev1.PodSpec{NodeName: "node"},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
				PodIPs: []corev1.PodIP{{IP: fmt.Sprintf("10.0.%d.%d", i/250, i%250+1)}}},
		})
	}
	plan, err := services.Plan(svc, pods, nil, nil, services.Options{ManagedBy: "me"})
	if err != nil {
		panic(err)
	}
	slices := plan.After()
	for i, s := range slices {
		s.ResourceVersion, s.UID = fmt.Sprint(i+1), types.UID(fmt.Sprint("slice-", i))
	}
	return svc, pods, slices
}

func BenchmarkUnchanged(b *testing.B) {
	for _, n := range []int{3, 10, 100, 1000} {
		svc, pods, slices := benchWorld(n)
		o := services.Options{ManagedBy: "me"}
		cached := func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
			if !selector.Matches(labels.Set(slices[0].Labels)) {
				panic("?")
			}
			return slices, nil
		}
		b.Run(fmt.Sprintf("old-%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var writes slicer.Writes
			for b.Loop() {
				set := slicer.Set{Namespace: svc.Namespace, Name: svc.Name}
				of := labels.Set{discoveryv1.LabelServiceName: set.Name}.AsSelector()
				list, err := cached(set.Namespace, of)
				if err != nil {
					b.Fatal(err)
				}
				if err := writes.Behind(set, list, "7"); err != nil {
					b.Fatal(err)
				}
				plan, err := services.Plan(svc, pods, nil, list, o)
				if err != nil || !plan.Empty() {
					b.Fatal(err, plan)
				}
			}
		})
		b.Run(fmt.Sprintf("new-%d", n), func(b *testing.B) {
			b.ReportAllocs()
			s := publish.New(publish.Slices{Cached: cached, UpTo: func() string { return "7" },
				List:   func(context.Context, string, labels.Selector) (*discoveryv1.EndpointSliceList, error) { panic("list") },
				Get:    func(context.Context, string, string) (*discoveryv1.EndpointSlice, error) { panic("get") },
				Writer: func(context.Context, string) publish.Writer { panic("write") }}, o)
			for b.Loop() {
				plan, err := s.Pods(context.Background(), svc, pods, nil)
				if err != nil || !plan.Empty() {
					b.Fatal(err, plan)
				}
			}
		})
	}
}
