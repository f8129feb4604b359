package conditions_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/conditions"
)

// A virtual machine that answers its health check and is being shut down, behind a Service without
// and with publishNotReadyAddresses. What a slice says of it means the same to a reader.
func ExampleNew() {
	for _, publishNotReady := range []bool{false, true} {
		state := conditions.New(true, true, publishNotReady)
		fmt.Printf("%+v %t\n", state, conditions.Of(state.API()) == state)
	}
	// Output:
	// {Ready:false Serving:true Terminating:true} true
	// {Ready:true Serving:true Terminating:true} true
}

// A slice that was written by hand has no conditions: its endpoints are ready.
func ExampleOf() {
	fmt.Printf("%+v\n", conditions.Of(discoveryv1.EndpointConditions{}))
	// Output: {Ready:true Serving:true Terminating:false}
}

func ExampleFromPod() {
	pod := &corev1.Pod{Status: corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: "10.0.0.1",
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}}
	fmt.Printf("%+v\n", conditions.FromPod(pod, false))
	pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(0, 0)}
	fmt.Printf("%+v %t\n", conditions.FromPod(pod, false), conditions.Finished(pod))
	pod.Status.Phase = corev1.PodSucceeded
	fmt.Println(conditions.Finished(pod))
	// Output:
	// {Ready:true Serving:true Terminating:false}
	// {Ready:false Serving:true Terminating:true} false
	// true
}
