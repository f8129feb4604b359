package slicer_test

import (
	"runtime"
	"testing"
	"weak"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/scenario"
)

// TestComputeKeepsNothing: what Compute was given can be collected afterwards, because its pooled
// memory holds no pointer to it.
func TestComputeKeepsNothing(t *testing.T) {
	const world = `
slices
web-a | http:80 | 10.0.0.1 10.0.0.2
web-b | old:81 | 10.0.0.3

want
http:80 | 10.0.0.1 10.0.0.3 10.0.0.4
`
	gone := func() (weak.Pointer[discoveryv1.Endpoint], weak.Pointer[discoveryv1.EndpointSlice],
		weak.Pointer[discoveryv1.Endpoint]) {
		in, err := scenario.Input(world)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Compute(); err != nil {
			t.Fatal(err)
		}
		return weak.Make(&in.Groups[0].Endpoints[0]), weak.Make(in.Existing[0]), weak.Make(&in.Existing[1].Endpoints[0])
	}
	wanted, slice, held := gone()
	runtime.GC() // a pool lets go of what it has only after the second
	if wanted.Value() != nil || slice.Value() != nil || held.Value() != nil {
		t.Error("still alive:", wanted.Value() != nil, slice.Value() != nil, held.Value() != nil)
	}
}
