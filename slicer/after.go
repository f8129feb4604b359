package slicer

import (
	"strconv"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// After returns our slices as they will be once every step is applied: the unchanged ones, the updated and the created
// in the order of Steps. A create that leaves its name to the API server is shown as prefix and number, counted from 1
// in that order. The objects are the plan's and the caller's own, read-only, except creates so named, which are
// shallow copies. nil when nothing is left.
func (p Plan) After() []*discoveryv1.EndpointSlice {
	var after []*discoveryv1.EndpointSlice
	after = append(after, p.Unchanged...)
	taken := map[string]bool{}
	for _, s := range p.Unchanged {
		taken[nameOf(s)] = true
	}
	for _, s := range p.Ignored {
		taken[nameOf(s.Slice)] = true
	}
	for _, s := range p.Steps {
		if s.Old != nil {
			taken[s.Old.Name] = true
		}
	}
	number := 0
	for _, s := range p.Steps {
		switch {
		case s.New == nil:
		case s.New.Name != "":
			after = append(after, s.New)
		default:
			named := *s.New
			for named.Name == "" || taken[named.Name] {
				number++
				named.Name = p.prefix + strconv.Itoa(number)
			}
			after = append(after, &named)
		}
	}
	return after
}

// nameOf is empty for nil, which a plan of Compute does not have.
func nameOf(s *discoveryv1.EndpointSlice) string {
	if s == nil {
		return ""
	}
	return s.Name
}
