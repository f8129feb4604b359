package conditions_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
)

func ExampleOf() {
	notReady := false
	fmt.Printf("%+v\n", conditions.Of(discoveryv1.EndpointConditions{}))
	fmt.Printf("%+v\n", conditions.Of(discoveryv1.EndpointConditions{Ready: &notReady}))
	// Output:
	// {Ready:true Serving:true Terminating:false}
	// {Ready:false Serving:true Terminating:false}
}

func ExampleNew() {
	// A virtual machine that answers its health check and is being shut down.
	fmt.Printf("%+v\n", conditions.New(true, true, false))
	// The same one, behind a Service with publishNotReadyAddresses.
	fmt.Printf("%+v\n", conditions.New(true, true, true))
	// Output:
	// {Ready:false Serving:true Terminating:true}
	// {Ready:true Serving:true Terminating:true}
}

func ExampleState_Conditions() {
	c := conditions.State{Serving: true}.Conditions()
	fmt.Println(*c.Ready, *c.Serving, *c.Terminating)
	// Output: false true false
}

func ExampleState_ServesWhileTerminating() {
	fmt.Println(conditions.State{Serving: true, Terminating: true}.ServesWhileTerminating())
	fmt.Println(conditions.State{Serving: true}.ServesWhileTerminating())
	// Output:
	// true
	// false
}

func examplePod() *corev1.Pod {
	return &corev1.Pod{Status: corev1.PodStatus{
		Phase:      corev1.PodRunning,
		PodIP:      "10.0.0.1",
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}}
}

func ExampleFromPod() {
	p := examplePod()
	fmt.Printf("%+v\n", conditions.FromPod(p, false))
	p.DeletionTimestamp = &metav1.Time{Time: time.Unix(0, 0)}
	fmt.Printf("%+v\n", conditions.FromPod(p, false))
	// Output:
	// {Ready:true Serving:true Terminating:false}
	// {Ready:false Serving:true Terminating:true}
}

func ExamplePodReady() {
	p := examplePod()
	fmt.Println(conditions.PodReady(p))
	p.Status.Conditions[0].Status = corev1.ConditionUnknown // its node went silent
	fmt.Println(conditions.PodReady(p))
	// Output:
	// true
	// false
}

func ExampleReadyCondition() {
	c := conditions.ReadyCondition(examplePod())
	fmt.Println(c.Status, c.LastTransitionTime.IsZero())
	fmt.Println(conditions.ReadyCondition(nil))
	// Output:
	// True true
	// nil
}

func ExamplePublishable() {
	p := examplePod()
	fmt.Println(conditions.Publishable(p))
	p.Status.PodIP = ""
	fmt.Println(conditions.Publishable(p))
	// Output:
	// true
	// false
}

func ExampleFinished() {
	p := examplePod()
	fmt.Println(conditions.Finished(p))
	p.Status.Phase = corev1.PodSucceeded
	fmt.Println(conditions.Finished(p))
	// Output:
	// false
	// true
}

func ExampleUsable() {
	type endpoint struct {
		address string
		state   conditions.State
	}
	endpoints := []endpoint{
		{"10.0.0.1", conditions.New(true, true, false)},
		{"10.0.0.2", conditions.New(false, true, false)},
	}
	state := func(e endpoint) conditions.State { return e.state }
	for _, e := range conditions.Usable(endpoints, state) {
		fmt.Println(e.address) // no endpoint is ready, but this one still answers
	}
	// Output: 10.0.0.1
}
