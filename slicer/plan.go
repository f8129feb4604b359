package slicer

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// Plan says what to write. The zero value writes nothing.
type Plan struct {
	// Steps are the writes, in a safe order. It is safe to stop after any of them.
	Steps []Step
	// Unchanged are the slices that need no write.
	Unchanged []*discoveryv1.EndpointSlice
	// Ignored are slices with the same labels that belong to others or are being deleted.
	Ignored []*discoveryv1.EndpointSlice
	// Warnings list what should be published and is not, or is not as asked, as Events of type
	// Warning.
	Warnings Notices
	// Normal lists what is left out as it should be, such as a Pod without an address.
	Normal Notices
	// Retry is that of the Input.
	Retry error
	// Hints has a decision for each address type.
	Hints []hints.Decision

	max int // endpoints per slice; 0 for the zero Plan
}

// After returns the slices as they are once every step is done.
func (p Plan) After() []*discoveryv1.EndpointSlice {
	after := slices.Clone(p.Unchanged)
	for i := range p.Steps {
		if s := p.Steps[i].New; s != nil {
			after = append(after, s)
		}
	}
	return after
}

// Stats returns the numbers for the metrics of Kubernetes' controller.
func (p Plan) Stats() Stats {
	var s Stats
	type list struct {
		addressType discoveryv1.AddressType
		ports       string
	}
	endpoints := map[list]int{}
	for _, slice := range p.After() {
		if slice == nil {
			continue
		}
		s.Slices++
		s.Endpoints += len(slice.Endpoints)
		endpoints[list{slice.AddressType, portsKey(slice.Ports)}] += len(slice.Endpoints)
	}
	most := cmp.Or(p.max, defaultMaxEndpoints)
	for _, n := range endpoints {
		s.DesiredSlices += max(1, (n+most-1)/most) // an empty slice is a placeholder
	}
	return s
}

// The verbs of a Step.
const (
	Create = "create"
	Update = "update"
	Delete = "delete"
)

// Step is one write.
type Step struct {
	// Verb is Create, Update or Delete.
	Verb string
	// Old is the slice as it is, nil for a create. New is what to write, nil for a delete. An
	// update has the resourceVersion of Old, and a delete has its UID and resourceVersion as
	// preconditions. New slices have names, so that a create whose answer was lost is not done
	// twice.
	Old, New *discoveryv1.EndpointSlice
	// Reasons say why, such as EndpointsAdded. The package comment lists them.
	Reasons []string
	// Added, Removed and Changed count endpoints.
	Added, Removed, Changed int
}

// Stats are num_endpoint_slices, desired_endpoint_slices and endpoints_desired of one Service.
type Stats struct {
	// Slices is the number after the plan, DesiredSlices that of full slices, Endpoints that of
	// wanted endpoints.
	Slices, DesiredSlices, Endpoints int
}
