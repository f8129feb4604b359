package slicer_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/internal/test/gen"
	"github.com/slicewright/slicewright/internal/test/given"
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

// TestReleaseInProportion plans for many endpoints and then for three in the same memory, which touches no more of it than three
// endpoints need.
func TestReleaseInProportion(t *testing.T) {
	m := &slicer.Memory{}
	compute := func(w given.World) {
		if _, err := m.Compute(w.Input, w.Existing); err != nil {
			t.Fatal(err)
		}
	}
	small := gen.Service(3)
	compute(gen.Rolled(gen.Service(10000)))
	touched := memory.Untouched(m)
	compute(small)
	if n := touched(); n > 100 {
		t.Errorf("a plan for 3 endpoints touches %d elements of memory that a plan for 10000 left", n)
	}
}

// BenchmarkAfterMany measures a plan for three endpoints that changes nothing: in memory of its own, and in memory that a plan for
// 100000 endpoints has left.
func BenchmarkAfterMany(b *testing.B) {
	small := gen.Service(3)
	for name, before := range map[string]given.World{"before=3": small, "before=100000": gen.Service(100000)} {
		b.Run(name, func(b *testing.B) {
			m := &slicer.Memory{}
			if _, err := m.Compute(before.Input, before.Existing); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if plan, err := m.Compute(small.Input, small.Existing); err != nil || !plan.Empty() {
					b.Fatal(plan, err)
				}
			}
		})
	}
}
