package slices

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/slicewright/slicewright/internal/test/check/form"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// Describe writes an input and its plan for a person who looks for a fault.
func Describe(in given.World, plan slicer.Plan) string {
	var b strings.Builder
	set := in.Set
	set.Labels, set.Annotations = nil, nil
	text, _ := json.Marshal(set)
	fmt.Fprintf(&b, "set      %s\noptions  %+v\n", text, in.Options)
	for _, g := range in.Groups {
		fmt.Fprintf(&b, "wanted   %s\n", form.GroupKey(g.AddressType, g.Ports))
		for i := range g.Endpoints {
			fmt.Fprintf(&b, "           %s\n", form.Show(&g.Endpoints[i]))
		}
	}
	for _, s := range in.Existing {
		fmt.Fprintf(&b, "existing %s\n", form.ShowSlice(s))
	}
	for i, s := range plan.Steps {
		old := ""
		if s.Old != nil {
			old = s.Old.Name
		}
		fmt.Fprintf(&b, "step %d   %s %s %v\n", i, s.Verb, old, s.Reasons)
		if s.New != nil {
			fmt.Fprintf(&b, "           %s\n", form.ShowSlice(s.New))
		}
	}
	for _, s := range plan.Unchanged {
		fmt.Fprintf(&b, "unchanged %s\n", s.Name)
	}
	for _, i := range plan.Ignored {
		fmt.Fprintf(&b, "ignored  %s %s\n", i.Slice.Name, i.Reason)
	}
	for _, s := range plan.Skips {
		fmt.Fprintf(&b, "skipped  %s %v\n", s.Path, s)
	}
	return b.String()
}
