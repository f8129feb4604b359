package routing

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Candidate is what Route, Failover and Explain must know about an endpoint.
type Candidate struct {
	// AddressType is the address type of the endpoint's slice. Each address type is decided
	// separately, as in kube-proxy, which has one proxier for each family. The exception is
	// Policy.AnyFamily. Endpoints with different values are in different families. FQDN and the
	// empty string are families, too.
	AddressType discoveryv1.AddressType
	// State is the endpoint's conditions, with nil resolved by conditions.Of.
	State conditions.State
	// NoVote says that this endpoint has no effect on the decision. Neither its hints nor the lack
	// of a hint decides whether hints are obeyed. The endpoint is not counted for Policy.AtLeast.
	// Apart from that, the endpoint is used like any other. A reader sets NoVote if it knows more
	// than the condition ready says, for example that the endpoint fails health checks, or that it
	// has just started and its hint has not arrived yet (cilium#45642, cilium#47960).
	NoVote bool
	// NodeName and Zone are where the endpoint is. They are empty if not known.
	NodeName, Zone string
	// Region is where the endpoint is. It is empty if not known. EndpointSlices do not contain it.
	// A reader that uses regions knows the region of each Node or zone.
	Region string
	// ForZones and ForNodes are the endpoint's hints, in any order. They are only read.
	ForZones []discoveryv1.ForZone
	ForNodes []discoveryv1.ForNode
	// TargetRef is the object that the endpoint stands for, such as its Pod. It is only read. With
	// Policy.AnyFamily, endpoints whose TargetRef has the same kind, namespace, name and UID are
	// addresses of one target. An endpoint whose TargetRef is nil, or has neither name nor UID, is
	// the only address of its target.
	TargetRef *corev1.ObjectReference
}

// CandidatesOf returns a function that makes a Candidate of an endpoint of the API. t is the
// address type of the endpoint's slice: use the constants of discovery/v1. t is not validated,
// because it only distinguishes families. Conditions that are nil have the meaning that the API
// gives them (package conditions). The hints and the target share the endpoint's memory. For a nil
// endpoint, only the address type is set. The function allocates nothing.
func CandidatesOf(t discoveryv1.AddressType) func(*discoveryv1.Endpoint) Candidate {
	return func(e *discoveryv1.Endpoint) (c Candidate) {
		if c.AddressType = t; e == nil {
			return
		}
		c.State = conditions.Of(e.Conditions)
		c.NodeName, c.Zone = endpoint.Text(e.NodeName), endpoint.Text(e.Zone)
		c.TargetRef = e.TargetRef
		if e.Hints != nil {
			c.ForZones, c.ForNodes = e.Hints.ForZones, e.Hints.ForNodes
		}
		return
	}
}

// Location is where a reader is.
type Location struct {
	NodeName string // if empty, the reader is on no node, for example outside the cluster
	Zone     string // if empty, not known
	Region   string // if empty, not known
}
