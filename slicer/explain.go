package slicer

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// explain says why a slice is updated, and counts what the update does, from the slice as it is and
// as it will be.
func (e *emitter) explain(step *Step, n int32) {
	s := &e.slices[n]
	old, now := len(step.Old.Endpoints), len(step.New.Endpoints)
	placeholder := s.outcome == emptied
	ports := s.newPorts != s.oldPorts
	var d difference
	if placeholder {
		ports, d.removed = len(step.Old.Ports) > 0, old > 0
	} else {
		d = e.compare(n)
	}
	if ports { // readers see each endpoint go on the old ports, and come on the new ones
		step.Added = now
		step.Removed = old
	} else {
		step.Added = now - d.stay
		step.Removed = old - d.stay
		step.Changed = d.changed
	}
	step.Reasons = make([]Reason, 0, 2) // seldom more
	for _, r := range [...]struct {
		holds bool
		why   Reason
	}{
		{now > d.stay, EndpointsAdded},
		{d.removed, EndpointsRemoved},
		{d.content, EndpointsChanged},
		{!s.dissolved && s.copies, DuplicatesRemoved},
		{ports, PortsChanged},
		{d.hints, HintsChanged},
		{s.drift.Labels, LabelsChanged},
		{s.drift.Annotations, AnnotationsChanged},
		{s.drift.Owners, OwnersChanged},
		{!s.dissolved && (s.surplus > 0 || s.crowded), OversizeSplit},
		{placeholder && (old > 0 || ports), PlaceholderWanted},
		{s.dissolved, Dissolved},
		{s.compacted, Compacted},
	} {
		if r.holds {
			step.Reasons = append(step.Reasons, r.why)
		}
	}
}

// comparedEndpoint is how one endpoint of a slice that is updated differs from what its item will
// be.
type comparedEndpoint struct {
	item    int32
	stays   bool // the item stays in the slice
	content bool // the content is the same (difference.content says that it changed)
	hinted  bool // the hints are the same
}

// difference is what an update changes in a slice.
type difference struct {
	stay, changed           int  // items before and after it, and those of them that change
	removed, content, hints bool // of items whose current slice this is, unless the ports change
}

// compare finds what the update of a slice changes: it compares what the slice holds with the items
// that stay in it or whose current slice it is. If the slice holds several copies of an item, the
// most similar copy is compared. Equal content is more important than equal hints.
func (e *emitter) compare(n int32) (d difference) {
	s := &e.slices[n]
	found := s.found
	if s.newPorts != s.oldPorts && s.newPorts != s.foundOn {
		found = e.wanted.index.itemsOf(nil, s.object.Endpoints, s.newPorts)
	}
	list := slices.Grow(e.compared[:0], len(found))
	unhinted := e.in.Hints.Mode == hints.None
	for j, f := range found {
		if f.item == none {
			d.removed = true
			continue
		}
		it, held := &e.items[f.item], &s.object.Endpoints[j]
		if it.place == n || it.current == n {
			list = append(list, comparedEndpoint{
				item: f.item, stays: it.place == n,
				content: f.exact || e.in.sameContent(it.endpoint, held),
				hinted:  unhinted && held.Hints == nil || e.hintsOf(f.item).same(held.Hints),
			})
		}
	}
	e.compared = list
	slices.SortFunc(list, func(a, b comparedEndpoint) int {
		return cmp.Or(
			cmp.Compare(a.item, b.item),
			endpoint.TrueFirst(a.content, b.content), endpoint.TrueFirst(a.hinted, b.hinted),
		)
	})
	for k, c := range list {
		if k > 0 && list[k-1].item == c.item || !c.stays && s.dissolved {
			continue
		}
		if c.stays {
			d.stay++
			if !c.content || !c.hinted {
				d.changed++
			}
		}
		if s.newPorts == s.oldPorts {
			d.content = d.content || !c.content
			d.hints = d.hints || !c.hinted
		}
	}
	return d
}
