package slicer

import (
	"slices"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/slicer/internal/identity"
	"github.com/slicewright/slicewright/slicer/internal/layout"
)

// triggers says which trigger time a slice that is written gets: that of the set, if the set says it. Otherwise it is the set's
// creation, if that is known and none of our slices was live, unless the set may well have none (NoPlaceholder). Otherwise it is
// the earliest Group.Changed of the endpoints in the slice that are news; without any, the slice gets no trigger time. A time
// before the set's creation does not count.
//
// An endpoint is news if no live slice of ours held it, on any ports, or if it serves and did not, or the other way round.
// Ready alone is no news: a Pod that starts to terminate stops being ready, and goes on serving.
type triggers struct {
	all    *time.Time // what every slice gets; nil: each its own
	set    *Set
	groups []Group
	items  []identity.Item
	homes  []home
	alike  map[int32]bool // items that serve as a live slice said, though home.previous does not say so
}

func triggersOf(in *Input, w *wanted, x *present, h *homes, l *layout.Layout) triggers {
	t := triggers{set: &in.Set, groups: in.Groups, items: w.items, homes: h.items}
	switch {
	case in.Set.TriggerTime != nil:
		t.all = in.Set.TriggerTime
	case len(x.slices) == 0 && !in.Options.NoPlaceholder && !in.Set.Created.IsZero():
		t.all = &in.Set.Created
	case slices.ContainsFunc(in.Groups, func(g Group) bool { return len(g.Changed) > 0 }):
		t.alike = t.heldAlike(w, x, h, l)
	}
	return t
}

func triggerText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// of returns the trigger time of a slice that will have these items, "" for none.
func (t *triggers) of(items []int32) string {
	if t.all != nil {
		return triggerText(*t.all)
	}
	var earliest time.Time
	for _, i := range items {
		if at := t.changed(i); !at.IsZero() && (earliest.IsZero() || at.Before(earliest)) && t.news(i) {
			earliest = at
		}
	}
	return triggerText(earliest)
}

// changed is when an item last changed, zero if that is not known or before the set's creation.
func (t *triggers) changed(i int32) time.Time {
	at := changedAt(t.groups, t.items[i].Source)
	if at.Before(t.set.Created) {
		return time.Time{}
	}
	return at
}

func (t *triggers) news(i int32) bool {
	at := &t.homes[i]
	return !(at.published && serving(at.previous) == serving(t.items[i].Endpoint)) && !t.alike[i]
}

func serving(e *discoveryv1.Endpoint) bool { return conditions.Of(e.Conditions).Serving }

// heldAlike finds items that are not news although their home differs: another copy of the endpoint, in its home or on other
// ports, already has the same serving condition. nil: none.
func (t *triggers) heldAlike(w *wanted, x *present, h *homes, l *layout.Layout) map[int32]bool {
	var alike map[int32]bool
	add := func(item int32) {
		if alike == nil {
			alike = map[int32]bool{}
		}
		alike[item] = true
	}
	for _, c := range h.copies {
		if c.slice == h.items[c.item].slice && serving(c.endpoint) == serving(w.items[c.item].Endpoint) {
			add(c.item)
		}
	}
	var elsewhere []int32 // items that may be held on other ports
	for i := range w.items {
		if !h.items[i].published && l.Writes(l.Places[i]) && !t.changed(int32(i)).IsZero() {
			elsewhere = append(elsewhere, int32(i))
		}
	}
	if len(elsewhere) == 0 {
		return alike
	}
	// Of each identity: some slice holds it on other ports and says that it does not serve, or does.
	said := map[bool][]bool{false: make([]bool, w.ids.Identities()), true: make([]bool, w.ids.Identities())}
	var ids []int32
	for i := range x.slices {
		s := &x.slices[i]
		if s.ports != none && len(w.groups) == 1 {
			continue
		}
		for j := range s.object.Endpoints {
			e := &s.object.Endpoints[j]
			ids = w.ids.IDs(ids[:0], e, s.typ)
			for _, id := range ids {
				said[serving(e)][id] = true
			}
		}
	}
	for _, i := range elsewhere {
		if said[serving(w.items[i].Endpoint)][w.items[i].ID] {
			add(i)
		}
	}
	return alike
}
