// Package given holds what a call of slicer.Compute is given, in one value that tests draw, change and print.
package given

import (
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
