package services_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// A Node is cordoned: the endpoints of its Pods are still there, for clients that find no other.
func ExampleCordonMatters() {
	before := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}
	after := before.DeepCopy()
	after.Spec.Unschedulable = true
	fmt.Println(services.CordonMatters(before, after), services.NodeMatters(before, after))

	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u"}}
	svc.Spec.Selector, svc.Spec.ClusterIP = map[string]string{"app": "web"}, "10.96.0.1"
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: svc.Spec.Selector}}
	pod.Spec.NodeName, pod.Status.PodIP = "n1", "10.0.0.1"
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	plan, err := withoutCordoned(svc, []*corev1.Pod{pod}, services.NodesByName([]*corev1.Node{after}))
	if err != nil {
		panic(err)
	}
	c := plan.After()[0].Endpoints[0].Conditions
	fmt.Println("ready", *c.Ready, "serving", *c.Serving, "terminating", *c.Terminating)
	// Output:
	// true false
	// ready false serving true terminating true
}

// withoutCordoned plans with endpoints on cordoned Nodes as if they were terminating.
func withoutCordoned(svc *corev1.Service, pods []*corev1.Pod, node func(string) *corev1.Node) (slicer.Plan, error) {
	in, err := services.Input(svc, pods, node, services.Options{ManagedBy: "slices.example.com"})
	if err != nil {
		return slicer.Plan{}, err
	}
	yes, no := true, false
	for _, g := range in.Groups {
		for i := range g.Endpoints {
			e := &g.Endpoints[i]
			if e.NodeName == nil {
				continue
			}
			if n := node(*e.NodeName); n != nil && n.Spec.Unschedulable {
				e.Conditions.Ready, e.Conditions.Terminating = &no, &yes
			}
		}
	}
	return slicer.Compute(in, nil)
}
