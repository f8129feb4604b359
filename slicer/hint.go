package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// decisions are the hints of all items, now that every item has its place.
type decisions struct {
	mode hints.Mode
	made []hints.Decision // one for each wanted address type
	// assigned are the hints that Proportional decided anew; all other items keep theirs.
	assigned map[int32]hints.Hint
	// opened are slices that are written for the hints of their items alone; one that has several such items is there several
	// times.
	opened []int32
	// crowded are slices that would have to be written for their hints, and hold more than the maximum: they must be split
	// first. Then the other fields do not count.
	crowded []int32
}

// decideHints decides the hints of every address type, over all its groups.
func decideHints(r *rules, w *wanted, x *present, h homes, l layout, c contents) decisions {
	d := decisions{mode: r.options.Hints.Mode}
	for t, has := range x.types {
		if !has {
			continue
		}
		var decision hints.Decision
		if d.mode == hints.Proportional {
			decision = d.allocate(r, w, x, h, l, c, int32(t))
		} else {
			decision = refusedNames(r, w, int32(t))
		}
		decision.AddressType = addressTypes[t]
		d.made = append(d.made, decision)
	}
	return d
}

// refusedNames is the decision of the modes in which match has decided already. Only names that cannot be hints are left
// to say.
func refusedNames(r *rules, w *wanted, t int32) hints.Decision {
	mode := r.options.Hints.Mode
	var refused []discoveryv1.Endpoint
	if mode == hints.SameZone || mode == hints.SameNode {
		for i := range w.items {
			it := &w.items[i]
			if _, ok := hints.HintOf(mode, it.Endpoint); !ok && w.groups[it.Group].Type == t {
				refused = append(refused, *it.Endpoint)
			}
		}
	}
	_, decision := r.assign([]hints.Slice{{Written: true, Endpoints: refused}})
	return decision
}

func (r *rules) assign(in []hints.Slice) ([]hints.Change, hints.Decision) {
	changes, d, err := hints.Assign(r.options.Hints, in)
	if err != nil {
		panic("slicer: hints refuse a configuration that was validated: " + err.Error())
	}
	return changes, d
}

// allocate lets Proportional decide for an address type.
func (d *decisions) allocate(r *rules, w *wanted, x *present, h homes, l layout, c contents, t int32) hints.Decision {
	places := hintPlaces(x, l, t)
	in := make([]hints.Slice, len(places))
	for n, place := range places {
		in[n] = hintSlice(w, x, h, l, c, place)
	}
	changes, decision := r.assign(in)
	for _, change := range changes {
		place := places[change.Slice]
		if in[change.Slice].Written {
			d.assign(c.of(place)[change.Endpoint], change.Hint)
			continue
		}
		d.opened = append(d.opened, place)
		if !r.fits(l.slices[place].stay) {
			d.crowded = append(d.crowded, place)
		}
		d.assign(w.ids.Find(&x.slices[place].object.Endpoints[change.Endpoint], l.slices[place].group), change.Hint)
	}
	return decision
}

func (d *decisions) assign(item int32, hint hints.Hint) {
	if d.assigned == nil {
		d.assigned = map[int32]hints.Hint{}
	}
	d.assigned[item] = hint
}

// hintPlaces lists the slices of an address type that will hold endpoints: existing ones by name, then creates.
func hintPlaces(x *present, l layout, t int32) []int32 {
	var places []int32
	for i := range l.slices {
		if x.slices[i].typ == t && l.slices[i].fate == kept {
			places = append(places, int32(i))
		}
	}
	slices.SortFunc(places, func(a, b int32) int { return byName(x.slices[a].object, x.slices[b].object) })
	for i := range l.creates {
		if c := &l.creates[i]; c.typ == t && c.group != none {
			places = append(places, createBase+int32(i))
		}
	}
	return places
}

// hintSlice shows a slice as it will be, with the hints of the last run on endpoints that stay.
func hintSlice(w *wanted, x *present, h homes, l layout, c contents, place int32) hints.Slice {
	in := hints.Slice{Written: true}
	if place < createBase {
		in.Name = x.slices[place].object.Name
		if !l.slices[place].updated() {
			in.Written, in.Endpoints = false, x.slices[place].object.Endpoints
			return in
		}
	}
	items := c.of(place)
	in.Endpoints = make([]discoveryv1.Endpoint, len(items))
	for n, i := range items {
		in.Endpoints[n] = *w.items[i].Endpoint
		in.Endpoints[n].Hints = carriedOver(h, i)
	}
	return in
}
