package slicer

import (
	"slices"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// triggers says which trigger time a slice that is written gets: that of the set, if the set says
// it. Otherwise it is the set's creation, if that is known and none of our slices was live, unless
// the set may well have none (NoPlaceholder). Otherwise it is the earliest Group.Changed of those
// items in the slice whose change it records. If there are none, the slice gets no trigger time. A
// time before the set's creation does not count.
//
// The trigger time records the change of an item if no live slice of ours held the endpoint, on any
// ports, or if it serves and did not, or the other way round. Ready alone does not count: a Pod
// that starts to terminate stops being ready, and goes on serving.
type triggers struct {
	*placement
	all   *time.Time     // what every slice gets; nil: each its own
	alike map[int32]bool // items that serve as a live slice says, although previous does not say so; nil: none
}

func triggersOf(p *placement) triggers {
	t := triggers{placement: p}
	set := &p.in.Set
	switch {
	case set.TriggerTime != nil:
		t.all = set.TriggerTime
	case len(p.live()) == 0 && !p.in.Options.NoPlaceholder && !set.Created.IsZero():
		t.all = &set.Created
	case slices.ContainsFunc(p.in.Groups, func(g Group) bool { return len(g.Changed) > 0 }):
		t.findAlike()
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
		if at := t.changed(i); !at.IsZero() && (earliest.IsZero() || at.Before(earliest)) && t.records(i) {
			earliest = at
		}
	}
	return triggerText(earliest)
}

// changed is when an item last changed, zero if that is not known or before the set's creation.
func (t *triggers) changed(i int32) time.Time {
	at := t.in.changedAt(t.items[i].source)
	if at.Before(t.in.Set.Created) {
		return time.Time{}
	}
	return at
}

// records reports whether the trigger time records the change of an item.
func (t *triggers) records(i int32) bool {
	it := &t.items[i]
	return !(it.published && serving(it.previous) == serving(it.endpoint)) && !t.alike[i]
}

func serving(e *discoveryv1.Endpoint) bool { return conditions.Of(e.Conditions).Serving }

// findAlike finds items whose change does not count although their current slice differs: another
// copy of the endpoint, in that slice or on other ports, already has the same serving condition.
func (t *triggers) findAlike() {
	for _, c := range t.copies {
		it := &t.items[c.item]
		if c.slice == it.current && serving(c.endpoint) == serving(it.endpoint) {
			t.addAlike(c.item)
		}
	}
	var elsewhere []int32 // items that may be held on other ports
	for i := range t.items {
		it := &t.items[i]
		if !it.published && it.place != none && t.slices[it.place].updated() && !t.changed(int32(i)).IsZero() {
			elsewhere = append(elsewhere, int32(i))
		}
	}
	if len(elsewhere) == 0 {
		return
	}
	// Of each identity: some slice holds it on other ports and says that it does not serve, or
	// does.
	count := t.wanted.index.count()
	said := map[bool][]bool{false: make([]bool, count), true: make([]bool, count)}
	var ids []int32
	for n := range t.live() {
		s := &t.slices[n]
		if s.oldPorts != none && len(t.wanted.portSets) == 1 {
			continue
		}
		for j := range s.object.Endpoints {
			e := &s.object.Endpoints[j]
			ids = t.wanted.index.identities(ids[:0], e, s.typ)
			for _, id := range ids {
				said[serving(e)][id] = true
			}
		}
	}
	for _, i := range elsewhere {
		if said[serving(t.items[i].endpoint)][t.items[i].id] {
			t.addAlike(i)
		}
	}
}

func (t *triggers) addAlike(i int32) {
	if t.alike == nil {
		t.alike = map[int32]bool{}
	}
	t.alike[i] = true
}
