package slicer

import (
	"cmp"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// compared is how one endpoint of a slice that is written differs from what its item will be.
type compared struct {
	item    int32
	kept    bool // the item stays in the slice
	content bool // the content is the same
	hinted  bool // the hints are the same
}

// explained are the reasons that explain finds. All others are known before.
const explained reasons = 1<<EndpointsAdded | 1<<EndpointsRemoved | 1<<EndpointsChanged | 1<<HintsChanged

// explain says why a slice is updated, and counts what the update does, from the slice as it is and as it will be. It is
// called when every endpoint has its place and its hints.
func (p *planner) explain(step *Step, index int32) {
	s := &p.slices[index]
	old, now := step.Old.Endpoints, step.New.Endpoints
	if s.fate == emptied {
		step.Removed, step.Reasons = len(old), s.reasons.list()
		return
	}
	why := s.reasons &^ explained
	kept, changed := 0, 0
	for _, c := range p.compareHeld(s, index, &why) {
		switch {
		case !c.kept && why.has(Dissolved):
			continue
		case c.kept:
			kept++
			if !c.content || !c.hinted {
				changed++
			}
		}
		if s.group == s.was && !c.content {
			why.add(EndpointsChanged)
		}
		if s.group == s.was && !c.hinted {
			why.add(HintsChanged)
		}
	}
	if len(now) > kept {
		why.add(EndpointsAdded)
	}
	step.Added, step.Removed, step.Changed = len(now)-kept, len(old)-kept, changed
	if s.group != s.was {
		step.Added, step.Removed, step.Changed = len(now), len(old), 0
	}
	step.Reasons = why.list()
}

// compareHeld compares what a slice holds with the items that stay in it or are at home in it, each once: of several
// copies the one that is most like the item. It notes in why what the slice holds besides.
func (p *planner) compareHeld(s *slice, index int32, why *reasons) []compared {
	list := p.compared[:0]
	twice := false
	for j, f := range p.identify(s.object.Endpoints, s.group) {
		if f.item == none {
			why.add(EndpointsRemoved)
			continue
		}
		it, e := &p.items[f.item], &s.object.Endpoints[j]
		kept := it.slice == index
		if !kept && it.home != index {
			continue
		}
		list = append(list, compared{
			item: f.item, kept: kept,
			content: f.same || p.sameContent(it.endpoint, e),
			hinted:  p.hintsFor(f.item).same(e.Hints),
		})
		twice = twice || it.seenIn == -2-index
		it.seenIn = -2 - index // which reassign has done with
	}
	p.compared = list
	if !twice {
		return list
	}
	slices.SortFunc(list, func(a, b compared) int {
		return cmp.Or(cmp.Compare(a.item, b.item), -cmp.Compare(a.likeness(), b.likeness()))
	})
	return slices.CompactFunc(list, func(a, b compared) bool { return a.item == b.item })
}

// likeness is higher the more is the same. Content counts more than hints.
func (c compared) likeness() int {
	likeness := 0
	if c.content {
		likeness += 2
	}
	if c.hinted {
		likeness++
	}
	return likeness
}

// same reports whether an endpoint that has hints h has those it is to have.
func (want hintsOfItem) same(h *discoveryv1.EndpointHints) bool {
	if want.own != (hints.Hint{}) {
		return want.own.Matches(h)
	}
	return sameHints(&want.given, h)
}
