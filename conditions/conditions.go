// Package conditions says what the three conditions of an endpoint mean, and derives them from
// Pods.
//
// An EndpointSlice gives each endpoint the conditions ready, serving and terminating. Each of them
// is true, false or nil. Writers derive them with [New] or [FromPod], and always write three
// explicit values. Readers interpret them with [Of], because other writers leave some nil.
// routing.Route then decides which endpoints a reader uses.
//
// # What a writer derives
//
// From the Pod's Ready condition, its deletion timestamp and the Service's
// publishNotReadyAddresses:
//
//	Pod ready  deleting  publishNotReady  ->  ready  serving  terminating
//	false      false     false                false  false    false
//	true       false     false                true   true     false
//	false      true      false                false  false    true
//	true       true      false                false  true     true
//	false      false     true                 true   false    false
//	true       false     true                 true   true     false
//	false      true      true                 true   false    true
//	true       true      true                 true   true     true
//
// # What nil means to a reader
//
//	condition    nil means
//	ready        true
//	serving      true
//	terminating  false
//
// These are the rules of Kubernetes' documentation of [EndpointSlices]. TestNew, TestFromPod and
// TestOf check them. There are no differences from Kubernetes 1.37. Inputs are never changed, and
// nil never causes a panic.
//
// [EndpointSlices]:
// https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#conditions
package conditions

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// State is the conditions of one endpoint, with each nil resolved. The zero value is an endpoint
// that is not ready, does not serve and does not terminate. States are comparable with ==.
type State struct {
	Ready       bool // the endpoint may get traffic
	Serving     bool // the endpoint can answer, whether it terminates or not
	Terminating bool // the endpoint is being deleted
}

// Of returns the state that the conditions of an API object mean: nil ready and nil serving mean
// true, nil terminating means false. The API documentation of EndpointConditions has said so since
// Kubernetes 1.33. According to older versions, a nil serving had the value of ready.
func Of(c discoveryv1.EndpointConditions) State {
	return State{
		Ready:       c.Ready == nil || *c.Ready,
		Serving:     c.Serving == nil || *c.Serving,
		Terminating: c.Terminating != nil && *c.Terminating,
	}
}

// New returns the state of an endpoint, by the table of the package comment. ready says that its
// workload is ready, and terminating says that it is being deleted. publishNotReady is
// spec.publishNotReadyAddresses of the Service. An endpoint that terminates is not ready unless
// publishNotReady is set.
func New(ready, terminating, publishNotReady bool) State {
	return State{
		Ready:       publishNotReady || (ready && !terminating),
		Serving:     ready,
		Terminating: terminating,
	}
}

// API returns the conditions for a slice, all three explicit, because some load balancers treat nil
// as false. The pointers belong to the caller and share no memory.
func (s State) API() discoveryv1.EndpointConditions {
	values := [3]bool{s.Ready, s.Serving, s.Terminating}
	return discoveryv1.EndpointConditions{Ready: &values[0], Serving: &values[1], Terminating: &values[2]}
}

// FromPod returns the state of a Pod's endpoint, by the table of the package comment. It reads the
// Pod's Ready condition, the first one if there are several, and its deletion timestamp. A nil Pod
// and a Pod without a Ready condition are not ready. publishNotReady has the same meaning as in
// [New].
func FromPod(pod *corev1.Pod, publishNotReady bool) State {
	if pod == nil {
		return New(false, false, publishNotReady)
	}
	ready := false
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			ready = c.Status == corev1.ConditionTrue
			break
		}
	}
	return New(ready, pod.DeletionTimestamp != nil, publishNotReady)
}

// Finished reports whether a Pod has run to its end: its phase is Failed or Succeeded. A finished
// Pod is not an endpoint, because its IP may already belong to another Pod. For a nil Pod, the
// result is false.
func Finished(pod *corev1.Pod) bool {
	return pod != nil && (pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded)
}
