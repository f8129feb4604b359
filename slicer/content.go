package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// sameContent reports whether a slice that holds one endpoint need not be written for the other, hints apart.
func (r *rules) sameContent(a, b *discoveryv1.Endpoint) bool {
	return r.sameConditions(&a.Conditions, &b.Conditions) && endpoint.SameTexts(a, b) &&
		endpoint.SameReference(a.TargetRef, b.TargetRef) && endpoint.SameAddressList(a.Addresses, b.Addresses)
}

// sameWanted reports whether two wanted endpoints of one identity are one.
func (r *rules) sameWanted(a, b *discoveryv1.Endpoint) bool {
	return r.sameContent(a, b) && (r.options.Hints.Mode != hints.Given || endpoint.SameHints(a.Hints, b.Hints))
}

// sameConditions compares what conditions mean, or with Options.ExplicitConditions what they say.
func (r *rules) sameConditions(a, b *discoveryv1.EndpointConditions) bool {
	if r.options.ExplicitConditions {
		return endpoint.SameConditions(a, b)
	}
	return conditions.Of(*a) == conditions.Of(*b)
}
