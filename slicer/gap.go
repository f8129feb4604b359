package slicer

import (
	"errors"
	"slices"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/timeline"
)

// missingDuringUpdate returns a Notice for each endpoint that readers will miss during some steps,
// although it is published before and after the plan. Steps are ordered so that nearly every plan
// has none. There are three exceptions: slices swap endpoints of different ports; the ports of an
// endpoint were in one slice and are divided among several; or a wait was dropped.
func (p *placement) missingDuringUpdate(plan *Plan) (list Notices) {
	if len(plan.Steps) < 2 || !p.moves() {
		return nil
	}
	steps := make([]timeline.Step, len(plan.Steps))
	for i := range plan.Steps {
		steps[i] = timeline.Step{Old: plan.Steps[i].Old, New: plan.Steps[i].New}
	}
	for _, a := range timeline.Absences(steps, plan.Unchanged) {
		n := Notice{Reason: "MissingDuringUpdate", Err: errors.New(missing(a.Ports, a.After, a.Until))}
		at := endpoint.TargetOf(a.Endpoint)
		n.Object.Kind, n.Object.Namespace, n.Object.Name = at.Kind, at.Namespace, at.Name // copies may differ in more
		if len(a.Endpoint.Addresses) > 0 {
			n.Address = endpoint.Canonical(a.Endpoint.Addresses[0])
		}
		list = append(list, n)
	}
	return list
}

// moves reports whether an endpoint that slices hold may get another slice or other ports. Only such
// an endpoint can be missing for a time. For most plans, this saves the look at all steps.
func (p *placement) moves() bool {
	otherPorts := len(p.wanted.portSets) > 1 || slices.ContainsFunc(p.live(), func(s placedSlice) bool {
		return s.portsBefore == none && len(s.object.Endpoints) > 0
	})
	for i := range p.items {
		it := &p.items[i]
		stays := it.published && it.place == it.current
		if !stays && (otherPorts || it.previous != nil) {
			return true
		}
	}
	return false
}
