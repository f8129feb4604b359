package gen

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Case is what slicer.Compute is given, in one value that tests draw, change and print.
type Case struct {
	slicer.Input
	Existing []*discoveryv1.EndpointSlice
}

// Compute calls slicer.Compute.
func (w Case) Compute() (slicer.Plan, error) { return slicer.Compute(w.Input, w.Existing) }

// Endpoint returns the wanted endpoint that a Notice is about, and its group; nil if it is about
// none.
func (w Case) Endpoint(n slicer.Notice) (*slicer.Group, *discoveryv1.Endpoint) {
	var group, endpoint int
	if n, _ := fmt.Sscanf(n.Path, "groups[%d].endpoints[%d]", &group, &endpoint); n != 2 {
		return nil, nil
	}
	if group >= len(w.Groups) || endpoint >= len(w.Groups[group].Endpoints) {
		return nil, nil
	}
	return &w.Groups[group], &w.Groups[group].Endpoints[endpoint].API
}

// Want returns endpoints as a Group has them.
func Want(endpoints ...discoveryv1.Endpoint) []slicer.Endpoint {
	list := make([]slicer.Endpoint, len(endpoints))
	for i := range endpoints {
		list[i].API = endpoints[i]
	}
	return list
}

// Steps returns the steps of a plan with the given verb, in their order.
func Steps(p slicer.Plan, verb string) []slicer.Step {
	return slices.DeleteFunc(slices.Clone(p.Steps), func(s slicer.Step) bool { return s.Verb != verb })
}

// Warnings returns the Warnings of a plan with the given reasons, in their order.
func Warnings(p slicer.Plan, reasons ...string) []slicer.Notice {
	return slices.DeleteFunc(slices.Clone(p.Warnings), func(n slicer.Notice) bool {
		return !slices.Contains(reasons, n.Reason)
	})
}
