package slicer_test

import (
	"encoding/json"
	"runtime"
	"testing"
	"weak"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
)

// TestPlanOwnsItsMemory overwrites the memory that Compute would give back to its pool. The plan says what it said, and the next
// plan in that memory is the right one.
func TestPlanOwnsItsMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := gen.World(t)
		want, err := w.Compute()
		m := &slicer.Memory{}
		plan, again := m.Compute(w.Input, w.Existing)
		if (err == nil) != (again == nil) {
			t.Fatal(err, again)
		}
		memory.Overwrite(m)
		if have, want := said(t, plan), said(t, want); have != want {
			t.Fatalf("a plan points into the memory of a pool:\n%s\nwant\n%s", have, want)
		}
	})
}

// said is all that a plan says.
func said(t *rapid.T, plan slicer.Plan) string {
	text, err := json.Marshal([]any{plan.Steps, plan.Unchanged, plan.Ignored, plan.Hints})
	if err != nil {
		t.Fatal(err)
	}
	out := string(text) + plan.String()
	for _, s := range plan.Skips {
		out += s.Error() + s.Path + string(s.AddressType) + s.Port
	}
	return out
}

// TestComputeKeepsNothing: what Compute was given can be collected afterwards, because its pooled memory holds no pointer to it.
func TestComputeKeepsNothing(t *testing.T) {
	const world = `
slices
web-a | http:80 | 10.0.0.1 10.0.0.2
web-b | old:81 | 10.0.0.3

want
http:80 | 10.0.0.1 10.0.0.3 10.0.0.4
`
	gone := func() (weak.Pointer[discoveryv1.Endpoint], weak.Pointer[discoveryv1.EndpointSlice], weak.Pointer[discoveryv1.Endpoint]) {
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
