package service_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// TestPlanOwnsItsMemory overwrites the memory that Plan would give back to its pool. The plan says what it said, Skips included.
func TestPlanOwnsItsMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawEventWorld(t)
		want, err := service.Plan(w.service, w.pods, w.node, w.existing, w.options)
		if err != nil {
			t.Skip("a mistake")
		}
		said := planSaid(t, want)
		m := &service.Memory{}
		plan, err := m.Plan(w.service, w.pods, w.node, w.existing, w.options)
		if err != nil {
			t.Fatal(err)
		}
		memory.Overwrite(m)
		if have := planSaid(t, plan); have != said {
			t.Fatalf("a plan points into the memory of a pool:\n%s\nwant\n%s", have, said)
		}
	})
}

func planSaid(t *rapid.T, plan slicer.Plan) string {
	out := jsonText(plan) + plan.String()
	for _, s := range plan.Skips {
		out += s.Error()
	}
	return out
}

// TestReleaseInProportion plans for many Pods and then for three in the same memory, which touches no more of it than three Pods
// need.
func TestReleaseInProportion(t *testing.T) {
	m := &service.Memory{}
	plan := func(n int) {
		c := newServiceCluster(n)
		if _, err := m.Plan(c.service, c.pods, c.node, nil, service.Options{ManagedBy: manager}); err != nil {
			t.Fatal(err)
		}
	}
	plan(10000)
	touched := memory.Untouched(m)
	plan(3)
	if n := touched(); n > 100 {
		t.Errorf("a plan for 3 Pods touches %d elements of memory that a plan for 10000 left", n)
	}
}
