package check

import (
	"encoding/json"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Describe writes an input and its plan for a person who looks for a fault.
func Describe(in slicer.Input, plan slicer.Plan) string {
	var b strings.Builder
	set := in.Set
	set.Labels, set.Annotations = nil, nil
	text, _ := json.Marshal(set)
	fmt.Fprintf(&b, "set      %s\noptions  %+v\n", text, in.Options)
	for _, g := range in.Groups {
		fmt.Fprintf(&b, "wanted   %s\n", groupKey(g.AddressType, g.Ports))
		for i := range g.Endpoints {
			fmt.Fprintf(&b, "           %s\n", show(&g.Endpoints[i]))
		}
	}
	for _, s := range in.Existing {
		fmt.Fprintf(&b, "existing %s\n", showSlice(s))
	}
	for i, s := range plan.Steps {
		verb := []string{"?", "create", "update", "delete"}[min(int(s.Verb), 3)]
		old := ""
		if s.Old != nil {
			old = s.Old.Name
		}
		fmt.Fprintf(&b, "step %d   %s %s %v\n", i, verb, old, s.Reasons)
		if s.New != nil {
			fmt.Fprintf(&b, "           %s\n", showSlice(s.New))
		}
	}
	for _, s := range plan.Unchanged {
		fmt.Fprintf(&b, "unchanged %s\n", s.Name)
	}
	for _, i := range plan.Ignored {
		fmt.Fprintf(&b, "ignored  %s %d\n", i.Slice.Name, i.Reason)
	}
	for _, r := range plan.Rejected {
		fmt.Fprintf(&b, "rejected %s %d %v\n", show(&r.Endpoint), r.Reason, r.Err)
	}
	for i := range plan.Unplaced {
		fmt.Fprintf(&b, "unplaced %s\n", show(&plan.Unplaced[i]))
	}
	return b.String()
}

func showSlice(s *discoveryv1.EndpointSlice) string {
	if s == nil {
		return "nil"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s rv=%s %s", s.Name, s.GenerateName, s.ResourceVersion, keyOf(s))
	if s.DeletionTimestamp != nil {
		b.WriteString(" dying")
	}
	fmt.Fprintf(&b, " labels=%v", s.Labels)
	if len(s.Annotations) > 0 {
		fmt.Fprintf(&b, " annotations=%v", s.Annotations)
	}
	for _, o := range s.OwnerReferences {
		fmt.Fprintf(&b, " owner=%s/%s/%s", o.Kind, o.Name, o.UID)
	}
	if len(s.Finalizers) > 0 {
		fmt.Fprintf(&b, " finalizers=%v", s.Finalizers)
	}
	for i := range s.Endpoints {
		fmt.Fprintf(&b, "\n             %s", show(&s.Endpoints[i]))
	}
	return b.String()
}
