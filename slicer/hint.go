package slicer

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer/internal/layout"
)

// decisions are the hints of all items, now that every item has its place.
type decisions struct {
	r    *rules
	w    *wanted
	h    *homes
	made []hints.Decision // one for each wanted address type
	// assigned are the hints that Proportional decided anew, or SameZone with a limit; all other items keep theirs.
	assigned map[int32]*discoveryv1.EndpointHints
	// opened are slices that are written for the hints of their items alone; one that has several such items is there several
	// times.
	opened []int32
	// overMax are slices that would have to be written for their hints, and hold more than the maximum: they must be split
	// first. Then the other fields do not count.
	overMax []int32
}

// decideHints decides the hints of every address type, over all its groups.
func decideHints(r *rules, w *wanted, x *present, h *homes, l *layout.Layout) decisions {
	d := decisions{r: r, w: w, h: h}
	if d.r.mode == hints.Proportional {
		d.assigned = map[int32]*discoveryv1.EndpointHints{}
	}
	for t, has := range x.types {
		if !has {
			continue
		}
		var decision hints.Decision
		if d.r.mode == hints.Proportional {
			decision = d.allocate(x, l, int32(t))
		} else {
			decision = ownHints(r, w, int32(t))
		}
		decision.AddressType = endpoint.AddressTypes[t]
		d.made = append(d.made, decision)
	}
	return d
}

// ownHints is the decision of the modes in which match has decided already. Only names that cannot be hints and endpoints without
// zone are left to say.
func ownHints(r *rules, w *wanted, t int32) hints.Decision {
	if r.mode == hints.None {
		return hints.Decision{Mode: hints.None} // which is all that Assign says then
	}
	var named []discoveryv1.Endpoint
	if r.mode == hints.SameZone || r.mode == hints.SameNode {
		for i := range w.items {
			it := &w.items[i]
			_, ok := hints.HintOf(r.mode, it.Endpoint)
			zoneless := r.mode == hints.SameZone && endpoint.Text(it.Endpoint.Zone) == ""
			if (!ok || zoneless) && w.groups[it.Group].Type == t {
				named = append(named, *it.Endpoint)
			}
		}
	}
	var in []hints.Slice
	if len(named) > 0 {
		in = []hints.Slice{{Written: true, Endpoints: named}}
	}
	_, decision := r.assign(in)
	return decision
}

func (r *rules) assign(in []hints.Slice) ([]hints.Change, hints.Decision) {
	changes, d, err := hints.Assign(*r.hints, in)
	if err != nil {
		panic("slicer: hints refuse a configuration that was validated: " + err.Error())
	}
	return changes, d
}

// allocate lets Proportional decide for an address type: over its slices that will hold endpoints, existing ones by name, then
// creates.
func (d *decisions) allocate(x *present, l *layout.Layout, t int32) hints.Decision {
	var places []layout.Place
	var in []hints.Slice
	show := func(at layout.Place) { places, in = append(places, at), append(in, d.slice(x, l, at)) }
	for i := range l.Slices {
		if x.slices[i].typ == t && l.Slices[i].Outcome == layout.Kept {
			show(layout.Place(i))
		}
	}
	for i := range l.Creates {
		if c := &l.Creates[i]; c.Class == t && c.Group != none {
			show(l.Created(i))
		}
	}
	changes, decision := d.r.assign(in)
	for _, change := range changes {
		at := places[change.Slice]
		if in[change.Slice].Written {
			d.assigned[l.Contents(at)[change.Endpoint]] = change.Hints
			continue
		}
		d.opened = append(d.opened, int32(at))
		if !d.r.layout.Fits(int(l.Slices[at].Stay)) {
			d.overMax = append(d.overMax, int32(at))
		}
		d.assigned[d.h.slices[at].found[change.Endpoint].Item] = change.Hints
	}
	return decision
}

// slice shows a slice as it will be, with the hints of the last run on endpoints that stay.
func (d *decisions) slice(x *present, l *layout.Layout, at layout.Place) hints.Slice {
	in := hints.Slice{Written: true}
	if l.Live(at) {
		in.Name = x.slices[at].object.Name
		if !l.Slices[at].Updated() {
			in.Written, in.Endpoints = false, x.slices[at].object.Endpoints
			return in
		}
	}
	items := l.Contents(at)
	in.Endpoints = make([]discoveryv1.Endpoint, len(items))
	for n, i := range items {
		in.Endpoints[n] = *d.w.items[i].Endpoint
		in.Endpoints[n].Hints = d.h.carriedOver(i)
	}
	return in
}

// carriedOver are the hints that existing slices have for an item: Keep and Proportional start from them. nil: none.
func (h *homes) carriedOver(item int32) *discoveryv1.EndpointHints {
	if previous := h.items[item].previous; previous != nil {
		return previous.Hints
	}
	return nil
}

// of returns the hints of an item.
func (d *decisions) of(item int32) (have hintsOfItem) {
	switch d.r.mode {
	case hints.Keep:
		if previous := d.h.carriedOver(item); d.r.keeps(previous) {
			have.given = endpoint.HintsOf(previous)
		}
	case hints.Proportional:
		decided, changed := d.assigned[item]
		if !changed {
			decided = d.h.carriedOver(item)
		}
		have.given = endpoint.HintsOf(decided)
	default:
		return d.r.wantedHints(d.w.items[item].Endpoint)
	}
	return have
}
