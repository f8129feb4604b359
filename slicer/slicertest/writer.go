package slicertest

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Writer starts the code under test: it returns a new instance, which writes to api. It is called once for each history, again
// whenever the instance was killed or has panicked, and for a second instance beside the first. Clients may be made here,
// because each history has an API of its own.
type Writer func(api *API) Sync

// Sync reconciles the slices of one Service once, as a worker does that takes the Service from its queue. An error asks to be
// called again, and so does any write that succeeds, because a controller is woken by the events of its own slices. A writer
// that asks for a later call without an error, such as a Result with Requeue, must return one here. All requests must have been
// answered when a Sync returns.
type Sync func(ctx context.Context, s State) error

// State is what the informers of the writer show. All objects are shared: a Sync must not change them. Lists are in no
// particular order.
type State struct {
	// Service is the Service under test. It always exists; its UID changes when it is recreated.
	Service *corev1.Service
	// Pods are those that the Service selects, in any phase.
	Pods []*corev1.Pod
	// Nodes are those that exist. The Node of a Pod may be missing.
	Nodes []*corev1.Node
	// Own are the slices that are the writer's by Options.ManagedBy and the Service's name, and All are all slices of all
	// namespaces. Both may be late, but never older than before.
	Own, All []*discoveryv1.EndpointSlice
	// Deleted are the writer's slices whose deletion the informer has shown since the last Sync, whoever deleted them, each
	// in its last state: what a tracker of expectations needs. A writer that sets API.OnDelete has been told already.
	Deleted []*discoveryv1.EndpointSlice
}

// Node returns the Node of this name, nil if there is none.
func (s State) Node(name string) *corev1.Node {
	for _, n := range s.Nodes {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Want is one endpoint that the slices should hold.
type Want struct {
	AddressType discoveryv1.AddressType
	// Endpoint has at least one address; the first one counts, in any spelling. Conditions, zone, nodeName and targetRef that
	// are nil may be anything; others are compared with what the slices say.
	Endpoint discoveryv1.Endpoint
	// Ports are in any order; nil names and protocols are those that the API server puts in.
	Ports []discoveryv1.EndpointPort
	// Labels are those that the slice of the endpoint must have, such as the cluster that an imported endpoint is from. nil: any.
	Labels map[string]string
	// Optional endpoints may be missing.
	Optional bool
}
