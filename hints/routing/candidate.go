package routing

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// Candidate is what Route, Failover and Explain must know of an endpoint.
type Candidate struct {
	// AddressType is that of the endpoint's slice. Each address type is decided alone, as by kube-proxy,
	// which runs once for IPv4 and once for IPv6 (unless Policy.AnyFamily is set). Every value is a
	// family of its own, including FQDN and the empty one.
	AddressType discoveryv1.AddressType
	// State is the endpoint's conditions, with nil resolved: conditions.Of.
	State conditions.State
	// NoVote says that this endpoint makes no difference to the decision: neither its hints, or their
	// absence, to whether hints are obeyed, nor the endpoint itself to whether a near tier has enough
	// endpoints. A reader sets it if it knows more than the condition ready says: the endpoint fails
	// health checks, or it has just started and its hint has not arrived yet (cilium#45642,
	// cilium#47960). Apart from that, the endpoint is used like any other.
	NoVote bool
	// NodeName and Zone are where the endpoint is, empty if not known.
	NodeName, Zone string
	// Region is where the endpoint is, empty if not known. Slices do not have it. A reader that wants
	// it knows the region of each Node or zone.
	Region string
	// ForZones and ForNodes are the endpoint's hints, in any order. They are only read.
	ForZones []discoveryv1.ForZone
	ForNodes []discoveryv1.ForNode
	// TargetRef is the object that the endpoint stands for, such as its Pod. It is only read. With
	// Policy.AnyFamily, endpoints with the same kind, namespace, name and UID there are addresses of
	// one object. If it is nil or has neither name nor UID, the endpoint stands for itself.
	TargetRef *corev1.ObjectReference
}

// CandidatesOf returns a function that reads endpoints of slices of an address type. Conditions that
// are nil mean what the API says (package conditions). The lists and the target share the endpoint's
// memory. For a nil endpoint, only the type is set. The function allocates nothing.
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
