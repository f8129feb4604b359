package slicer

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// ChangedValues plans as Compute does, and returns those of the values that stages only read after
// the stage that made them which have changed at the end of the plan, as they were before.
func ChangedValues(input Input, existing []*discoveryv1.EndpointSlice) (changed []string) {
	m := &memory{}
	req := m.request.read(input, existing)
	if validate(req) != nil {
		return nil
	}
	req.keepPending()
	wanted := m.wanted.collect(req)
	present := m.present.classify(req, wanted)
	texts := func() [3]string {
		return [...]string{fmt.Sprintf("request %+v", *req), fmt.Sprintf("wanted %+v", *wanted),
			fmt.Sprintf("present %+v", *present)}
	}
	before := texts()
	planOf(m.placement.place(req, wanted, present))
	for i, after := range texts() {
		if after != before[i] {
			changed = append(changed, before[i])
		}
	}
	return changed
}
