package slicer

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
)

// explain says why a live slice is updated, and counts what the update does, from the slice as it is and as it will be. list is
// memory that it may use.
func (e *decided) explain(step *Step, index int32, list *[]compared) {
	s, o, at := &e.present.slices[index], &e.layout.Slices[index], &e.homes.slices[index]
	old, now := len(step.Old.Endpoints), len(step.New.Endpoints)
	isPlaceholder := o.Outcome == layout.Emptied
	ports := o.Group != s.ports
	var d difference
	if isPlaceholder {
		ports, d.removed = len(step.Old.Ports) > 0, old > 0
	} else {
		d = e.compare(s, index, list)
	}
	step.Added, step.Removed, step.Changed = now-d.kept, old-d.kept, d.changed
	if ports && !isPlaceholder {
		step.Added, step.Removed, step.Changed = now, old, 0
	}
	step.Reasons = make([]Reason, 0, 2) // seldom more
	for _, r := range [...]struct {
		holds bool
		why   Reason
	}{
		{now > d.kept, EndpointsAdded},
		{d.removed, EndpointsRemoved},
		{d.content, EndpointsChanged},
		{!isPlaceholder && !o.Dissolved && at.copies, DuplicatesRemoved},
		{ports, PortsChanged},
		{d.hints, HintsChanged},
		{s.drift.Labels, LabelsChanged},
		{s.drift.Annotations, AnnotationsChanged},
		{s.drift.Owners, OwnersChanged},
		{!isPlaceholder && !o.Dissolved && (o.Surplus > 0 || at.overMax), OversizeSplit},
		{isPlaceholder && (old > 0 || ports), PlaceholderWanted},
		{o.Dissolved, Dissolved},
		{o.Compacted, Compacted},
	} {
		if r.holds {
			step.Reasons = append(step.Reasons, r.why)
		}
	}
}

// compared is how one endpoint of a slice that is updated differs from what its item will be.
type compared struct {
	item    int32
	kept    bool // the item stays in the slice
	content bool // the content is the same
	hinted  bool // the hints are the same
}

// difference is what an update changes in a slice.
type difference struct {
	kept, changed           int  // items before and after it, and those of them that change
	removed, content, hints bool // of items that were at home here, unless the ports change
}

// compare finds what the update of a slice changes: it compares what the slice holds with the items that stay in it or are at home
// in it. Of several copies of an item the one counts that is most like it, in its content before its hints. memory is for the list.
func (e *decided) compare(s *liveSlice, index int32, memory *[]compared) (d difference) {
	o := &e.layout.Slices[index]
	found := e.homes.slices[index].found
	if o.Group != s.ports && o.Group != e.homes.slices[index].group {
		found = e.wanted.ids.Identify(s.object.Endpoints, o.Group)
	}
	list := slices.Grow((*memory)[:0], len(found))
	unhinted := e.rules.mode == hints.None
	for j, f := range found {
		if f.Item == none {
			d.removed = true
			continue
		}
		held := &s.object.Endpoints[j]
		stays := e.layout.Places[f.Item] == layout.Place(index)
		if stays || e.homes.items[f.Item].slice == index {
			list = append(list, compared{
				item: f.Item, kept: stays,
				content: f.Exact || e.rules.sameContent(e.wanted.items[f.Item].Endpoint, held),
				hinted:  unhinted && held.Hints == nil || e.hints.of(f.Item).same(held.Hints),
			})
		}
	}
	*memory = list
	slices.SortFunc(list, func(a, b compared) int {
		return cmp.Or(cmp.Compare(a.item, b.item), endpoint.TrueFirst(a.content, b.content), endpoint.TrueFirst(a.hinted, b.hinted))
	})
	for n, c := range list {
		if n > 0 && list[n-1].item == c.item || !c.kept && o.Dissolved {
			continue
		}
		if c.kept {
			d.kept++
			if !c.content || !c.hinted {
				d.changed++
			}
		}
		if o.Group == s.ports {
			d.content, d.hints = d.content || !c.content, d.hints || !c.hinted
		}
	}
	return d
}
