package slicer_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/internal/test/gen"
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
