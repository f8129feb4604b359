package gen

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/test/drawn"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// TestEveryFieldIsDrawn: the generators of this package draw every field of what they draw, and
// every value of enums.
func TestEveryFieldIsDrawn(t *testing.T) {
	drawn.Fields[slicer.Options](t, Options)
	drawn.Fields[slicer.Set](t, func(t *rapid.T) slicer.Set { return World(t).Set }, "Namespace", "Name", "ManagedBy")
	drawn.Fields[hints.Options](t, HintConfig)
	drawn.Fields[services.Backend](t, func(t *rapid.T) services.Backend { return Backend(t, 1) }, "Name")
	drawn.Fields[routing.Policy](t, Policy)
	drawn.Fields[routing.Location](t, func(t *rapid.T) routing.Location { _, at, _ := Routing(t); return at })
	drawn.Fields[routing.Candidate](t, func(t *rapid.T) routing.Candidate {
		list, _, _ := Routing(t)
		if len(list) == 0 {
			return routing.Candidate{}
		}
		return list[0]
	})
}
