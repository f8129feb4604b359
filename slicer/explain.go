package slicer

import (
	"cmp"
	"slices"

	"github.com/slicewright/slicewright/hints"
)

// reasons is a set of Reason: a bit for each place in reasonOrder.
type reasons uint32

func (r *reasons) add(why Reason) { *r |= 1 << slices.Index(reasonOrder[:], why) }

// addIf adds a reason where a condition holds.
func (r *reasons) addIf(condition bool, why Reason) {
	if condition {
		r.add(why)
	}
}

// list returns the reasons in the order of their declaration.
func (r reasons) list() []Reason {
	var list []Reason
	for i, why := range reasonOrder {
		if r&(1<<i) != 0 {
			list = append(list, why)
		}
	}
	return list
}

// explain says why a live slice is updated, and counts what the update does, from the slice as it is and as it will be.
func (e *emission) explain(step *Step, index int32) {
	s, o, at := &e.present.slices[index], &e.layout.slices[index], &e.homes.slices[index]
	old, now := len(step.Old.Endpoints), len(step.New.Endpoints)
	var why reasons
	why.addIf(s.drift.Labels, LabelsChanged)
	why.addIf(s.drift.Annotations, AnnotationsChanged)
	why.addIf(s.drift.Owners, OwnersChanged)
	if o.outcome == emptied {
		changedPorts := len(step.Old.Ports) > 0
		why.addIf(old > 0, EndpointsRemoved)
		why.addIf(changedPorts, PortsChanged)
		why.addIf(old > 0 || changedPorts, PlaceholderWanted)
		step.Removed, step.Reasons = old, why.list()
		return
	}
	why.addIf(o.group != s.ports, PortsChanged)
	why.addIf(o.dissolved, Dissolved)
	why.addIf(o.compacted, Compacted)
	why.addIf(!o.dissolved && (o.surplus > 0 || at.overMax), OversizeSplit)
	why.addIf(!o.dissolved && holdsCopies(at), DuplicatesRemoved)
	kept, changed := e.compare(s, index, &why)
	why.addIf(now > kept, EndpointsAdded)
	step.Added, step.Removed, step.Changed = now-kept, old-kept, changed
	if o.group != s.ports {
		step.Added, step.Removed, step.Changed = now, old, 0
	}
	step.Reasons = why.list()
}

// holdsCopies reports whether a slice holds items, on their ports, that are at home in another slice, or one twice: then it
// holds more of them than are at home here.
func holdsCopies(at *homeSlice) bool {
	held := int32(0)
	for _, f := range at.found {
		if f.Item != none {
			held++
		}
	}
	return held > at.count
}

// compared is how one endpoint of a slice that is updated differs from what its item will be.
type compared struct {
	item    int32
	kept    bool // the item stays in the slice
	content bool // the content is the same
	hinted  bool // the hints are the same
}

// compare counts the items that a slice holds before and after its update, and those of them that change. It notes in why
// what is removed, and what changes of items that were at home here.
func (e *emission) compare(s *liveSlice, index int32, why *reasons) (kept, changed int) {
	o := &e.layout.slices[index]
	for _, c := range e.compareHeld(s, index, why) {
		if !c.kept && o.dissolved {
			continue
		}
		if c.kept {
			kept++
			if !c.content || !c.hinted {
				changed++
			}
		}
		if o.group == s.ports {
			why.addIf(!c.content, EndpointsChanged)
			why.addIf(!c.hinted, HintsChanged)
		}
	}
	return kept, changed
}

// compareHeld compares what a slice holds with the items that stay in it or are at home in it, each once: of several
// copies the one that is most like the item. It notes in why what the slice holds besides.
func (e *emission) compareHeld(s *liveSlice, index int32, why *reasons) []compared {
	o := &e.layout.slices[index]
	found := e.homes.slices[index].found
	if o.group != s.ports {
		if found = e.homes.slices[index].taken; found == nil || o.group != e.homes.slices[index].group {
			found = e.wanted.ids.Identify(s.object.Endpoints, o.group)
		}
	}
	list := e.compared[:0]
	inOrder, unhinted := true, e.in.Options.Hints.Mode == hints.None
	for j, f := range found {
		if f.Item == none {
			why.add(EndpointsRemoved)
			continue
		}
		held := &s.object.Endpoints[j]
		stays := e.layout.places[f.Item] == place(index)
		if !stays && e.homes.items[f.Item].slice != index {
			continue
		}
		if n := len(list); n > 0 && list[n-1].item >= f.Item {
			inOrder = false
		}
		list = append(list, compared{
			item: f.Item, kept: stays,
			content: f.Exact || e.rules.sameContent(e.wanted.items[f.Item].Endpoint, held),
			hinted:  unhinted && held.Hints == nil || e.hintsOf(f.Item).same(held.Hints),
		})
	}
	e.compared = list
	if inOrder {
		return list
	}
	slices.SortFunc(list, func(a, b compared) int {
		return cmp.Or(cmp.Compare(a.item, b.item), -cmp.Compare(a.likeness(), b.likeness()))
	})
	return slices.CompactFunc(list, func(a, b compared) bool { return a.item == b.item })
}

// likeness is higher the more is the same. Content counts more than hints.
func (c compared) likeness() (likeness int) {
	if c.content {
		likeness += 2
	}
	if c.hinted {
		likeness++
	}
	return likeness
}

func (e *emission) hintsOf(item int32) hintsOfItem {
	return e.hints.of(e.rules, e.wanted, e.homes, item)
}
