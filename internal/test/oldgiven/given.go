// Package given holds what a call of slicer.Compute is given, in one value that tests draw, change
// and print.
package given

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// World is an Input together with the slices that exist.
type World struct {
	slicer.Input
	Existing []*discoveryv1.EndpointSlice
}

// Compute calls slicer.Compute.
func (w World) Compute() (slicer.Plan, error) { return slicer.Compute(w.Input, w.Existing) }

// Skipped returns the wanted endpoint that a Skip is about, and its group; nil if it is about none.
func (w World) Skipped(s slicer.Skip) (*slicer.Group, *discoveryv1.Endpoint) {
	var group, endpoint int
	if n, _ := fmt.Sscanf(s.Path, "groups[%d].endpoints[%d]", &group, &endpoint); n != 2 {
		return nil, nil
	}
	if group >= len(w.Groups) || endpoint >= len(w.Groups[group].Endpoints) {
		return nil, nil
	}
	return &w.Groups[group], &w.Groups[group].Endpoints[endpoint]
}

// Steps returns the steps of a plan with the given verb, in their order.
func Steps(p slicer.Plan, verb slicer.Verb) []slicer.Step {
	return slices.DeleteFunc(slices.Clone(p.Steps), func(s slicer.Step) bool { return s.Verb != verb })
}

// Skips returns the Skips of a plan with the given reasons, in their order.
func Skips(p slicer.Plan, reasons ...slicer.SkipReason) []slicer.Skip {
	return slices.DeleteFunc(slices.Clone(p.Skips), func(s slicer.Skip) bool {
		return !slices.Contains(reasons, s.Reason)
	})
}

// Reasons are all reasons of steps, in their order.
var Reasons = []slicer.Reason{
	slicer.EndpointsAdded, slicer.EndpointsRemoved, slicer.EndpointsChanged, slicer.DuplicatesRemoved,
	slicer.PortsChanged,
	slicer.HintsChanged, slicer.LabelsChanged, slicer.AnnotationsChanged, slicer.OwnersChanged, slicer.OversizeSplit,
	slicer.PlaceholderWanted, slicer.NothingLeft, slicer.AddressTypeGone, slicer.OwnerStale, slicer.Dissolved,
	slicer.Compacted,
}
