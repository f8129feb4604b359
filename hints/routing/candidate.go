package routing

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Candidate is what Route and Failover must know of an endpoint.
type Candidate struct {
	// AddressType is that of the endpoint's slice. Route and Failover decide each address type apart, as kube-proxy does,
	// which runs once for IPv4 and once for IPv6 (unless Policy.AnyFamily). Any value is a family of its own, the empty one
	// too.
	AddressType discoveryv1.AddressType
	// State is the endpoint's conditions, with nil resolved: conditions.Of.
	State conditions.State
	// NoVote says that the hints of this endpoint, or their absence, make no difference to whether hints are obeyed. A
	// reader sets it if it knows more than the condition ready says: the endpoint fails health checks, or it has just
	// started and its hint has not arrived yet (cilium#45642, cilium#47960). The endpoint is routed to like any other.
	NoVote bool
	// NodeName and Zone are where the endpoint is, empty if not known. Route reads the zone only with Policy.PreferZone.
	NodeName, Zone string
	// Region is where the endpoint is, empty if not known. Slices do not have it: a reader that wants it
	// knows the region of each Node or zone.
	Region string
	// ForZones and ForNodes are the endpoint's hints, in any order; nil and empty: none. They are only read.
	ForZones []discoveryv1.ForZone
	ForNodes []discoveryv1.ForNode
	// TargetRef is the object that the endpoint stands for, such as its Pod; nil if not known. Two
	// endpoints with the same kind, namespace, name and UID there are addresses of one object. It is only
	// read.
	TargetRef *corev1.ObjectReference
}

// CandidatesOf returns a function that reads endpoints of slices of an address type. nil conditions mean what the API says (package
// conditions); the lists share the endpoint's memory. Of a nil endpoint it returns no field but the type. It allocates nothing.
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
	NodeName string // empty: on no node, such as outside the cluster
	Zone     string // empty: not known
	Region   string // empty: not known
}
