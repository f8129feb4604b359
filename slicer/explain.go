package slicer

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// explain sets the reasons and the counts of an update. It compares the old slice with the new one.
func (e *emitter) explain(step *Step, n int32) {
	s := &e.slices[n]
	old, now := len(step.Old.Endpoints), len(step.New.Endpoints)
	emptied := s.outcome == placeholder
	portsChanged := s.portsAfter != s.portsBefore
	var d difference
	if emptied { // the slice loses all ports and endpoints that it had
		portsChanged = len(step.Old.Ports) > 0
		d.removed = old > 0
	} else {
		d = e.compare(n)
	}
	if portsChanged { // readers see each endpoint leave the old ports and arrive on the new ones
		step.Added = now
		step.Removed = old
	} else {
		step.Added = now - d.stay
		step.Removed = old - d.stay
		step.Changed = d.changed
	}
	step.Reasons = make([]string, 0, 2) // few updates have more reasons
	for _, r := range [...]struct {
		holds bool
		why   string
	}{
		{now > d.stay, "EndpointsAdded"},
		{d.removed || s.surplus > 0 || s.crowded, "EndpointsRemoved"},
		{d.contentChanged, "EndpointsChanged"},
		{!s.dissolved && s.copies, "DuplicatesRemoved"},
		{portsChanged, "PortsChanged"},
		{d.hintsChanged, "HintsChanged"},
		{s.drift.Labels, "LabelsChanged"},
		{s.drift.Annotations, "AnnotationsChanged"},
		{s.drift.Owners, "OwnersChanged"},
		{emptied && (old > 0 || portsChanged), "PlaceholderWanted"},
		{s.dissolved || s.compacted, "Compacted"},
	} {
		if r.holds {
			step.Reasons = append(step.Reasons, r.why)
		}
	}
}

// comparedEndpoint is the result of comparing one endpoint of an updated slice with its item, the
// wanted endpoint.
type comparedEndpoint struct {
	item        int32
	stays       bool // the item stays in the slice
	sameContent bool // the endpoint has the content of the item
	sameHints   bool // the endpoint has the hints that the item gets
}

// order sorts by item. Of several copies of an item, the most similar one comes first. Equal
// content is more important than equal hints.
func (c comparedEndpoint) order(other comparedEndpoint) int {
	return cmp.Or(
		cmp.Compare(c.item, other.item),
		endpoint.TrueFirst(c.sameContent, other.sameContent), endpoint.TrueFirst(c.sameHints, other.sameHints),
	)
}

// difference is what an update changes in a slice.
type difference struct {
	stay    int  // items that the slice holds before and after the update
	changed int  // items that stay and whose content or hints change
	removed bool // the slice holds an endpoint that is not wanted on the slice's new ports

	// The content or the hints differ for an item that stays in this slice, or for an item that has
	// this slice as its current slice. Both fields are false if the ports change, because all
	// endpoints are then removed and added.
	contentChanged, hintsChanged bool
}

// compare returns what the update of a slice changes. Two kinds of items are compared with the
// endpoints of the slice: items that stay in it, and items whose current slice it is. If the slice
// holds several copies of an item, the most similar copy is compared.
func (e *emitter) compare(n int32) (d difference) {
	s := &e.slices[n]
	found := s.found
	if s.portsAfter != s.portsBefore && s.portsAfter != s.foundOn {
		// s.found has the items on other ports than those that the slice gets.
		found = e.wanted.index.itemsOf(nil, s.object.Endpoints, s.portsAfter)
	}
	list := slices.Grow(e.compared[:0], len(found))
	unhinted := e.req.Hints.Mode == hints.None
	for j, f := range found {
		if f.item == none {
			d.removed = true
			continue
		}
		it, held := &e.items[f.item], &s.object.Endpoints[j]
		if it.place == n || it.current == n {
			list = append(list, comparedEndpoint{
				item: f.item, stays: it.place == n,
				sameContent: f.exact || e.req.sameContent(it.endpoint, held),
				sameHints:   unhinted && held.Hints == nil || e.hintsOf(f.item).same(held.Hints),
			})
		}
	}
	e.compared = list
	slices.SortFunc(list, comparedEndpoint.order)
	for k, c := range list {
		if k > 0 && list[k-1].item == c.item {
			continue // a less similar copy
		}
		if c.stays {
			d.stay++
			if !c.sameContent || !c.sameHints {
				d.changed++
			}
		}
		if s.portsAfter == s.portsBefore {
			d.contentChanged = d.contentChanged || !c.sameContent
			d.hintsChanged = d.hintsChanged || !c.sameHints
		}
	}
	return d
}
