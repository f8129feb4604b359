// Package conditions says what the three conditions of an endpoint mean, and derives them from Pods.
//
// An EndpointSlice gives each endpoint the conditions ready, serving and terminating, each of them true, false or nil.
// Writers derive them ([New], [FromPod]) and always write three explicit values; readers interpret them ([Of]) and must cope
// with nil. Which endpoints a reader uses then, routing.Route says.
//
// # What a writer derives
//
// From the Pod's Ready condition, its deletion timestamp and the Service's publishNotReadyAddresses:
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
// The tests that hold this, for sentences of Kubernetes' documentation that [testdata/spec.md] has in our words:
//
//	ready: true, unless terminating or not published      TestNew  TestFromPod  TestOf
//	serving: as ready, whether terminating or not         TestNew  TestOf
//	terminating: a deletion timestamp is set              TestFromPod  TestOf
//	fallback to endpoints that serve while terminating    TestConditionsAreExplicit, and those of routing.Route
//
// There are no deviations from Kubernetes 1.37. Inputs are never changed, and nothing panics on nil.
//
// [testdata/spec.md]: https://github.com/slicewright/slicewright/blob/main/testdata/spec.md
package conditions

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// State is the conditions of one endpoint with every nil resolved. The zero value is an endpoint that is not ready, does
// not serve and does not terminate. States are comparable with ==.
type State struct {
	Ready       bool // it may get traffic
	Serving     bool // it answers, whether it terminates or not
	Terminating bool // it is being deleted
}

// Of resolves what an API object says: nil ready and nil serving mean true, nil terminating means false, as the API
// documentation of EndpointConditions says since Kubernetes 1.33. (Older texts let serving defer to ready.)
func Of(c discoveryv1.EndpointConditions) State {
	return State{
		Ready:       c.Ready == nil || *c.Ready,
		Serving:     c.Serving == nil || *c.Serving,
		Terminating: c.Terminating != nil && *c.Terminating,
	}
}

// New derives an endpoint's state from whether its workload is ready, whether it is being deleted, and whether
// addresses that are not ready are to be published (Service.spec.publishNotReadyAddresses): the table of the package
// comment. An endpoint that terminates is never ready unless publishNotReady is set.
func New(ready, terminating, publishNotReady bool) State {
	return State{
		Ready:       publishNotReady || (ready && !terminating),
		Serving:     ready,
		Terminating: terminating,
	}
}

// Conditions returns the state as an API value with three explicit booleans, none of them nil (some load balancers
// take nil for false). The pointers are the caller's own, shared with nothing.
func (s State) Conditions() discoveryv1.EndpointConditions {
	values := [3]bool{s.Ready, s.Serving, s.Terminating}
	return discoveryv1.EndpointConditions{Ready: &values[0], Serving: &values[1], Terminating: &values[2]}
}

// ServesWhileTerminating reports whether the endpoint may be used when no ready one is left, as KEP-1669 says.
func (s State) ServesWhileTerminating() bool { return s.Serving && s.Terminating }

// FromPod derives the state of a Pod's endpoint: ready is its Ready condition, deleting its deletion timestamp, joined
// as the table of the package comment says. A nil Pod is not ready, and a Pod without a Ready condition is not ready.
func FromPod(pod *corev1.Pod, publishNotReady bool) State {
	return New(PodReady(pod), pod != nil && pod.DeletionTimestamp != nil, publishNotReady)
}

// PodReady reports whether the Pod's Ready condition is True; of several the first counts. It is false for nil
// and without that condition.
func PodReady(pod *corev1.Pod) bool {
	if pod == nil {
		return false
	}
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// Finished reports whether a Pod has run to its end, phase Failed or Succeeded: its IP may belong to another Pod
// already, so it is no endpoint of any kind. It is false for nil.
func Finished(pod *corev1.Pod) bool {
	return pod != nil && (pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded)
}
