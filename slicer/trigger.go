package slicer

import (
	"slices"
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// triggers decides which trigger time a written slice gets. It is the first one of this list that
// applies:
//
//   - The annotation in Meta.Annotations, if it is there.
//   - Meta.CreationTimestamp, if it is known and there is no live slice. This does not apply with
//     NoPlaceholder, because the set may then have no slices long after its creation.
//   - Of the items in the slice whose change counts, the earliest Endpoint.Changed. A time before
//     Meta.CreationTimestamp has no effect.
//   - No time: the slice gets no annotation.
//
// The change of an item counts if no live slice of the set held the endpoint, on any ports, or if
// the endpoint started or stopped serving. A change of ready alone does not count, because a Pod
// that starts to terminate is no longer ready but still serves.
type triggers struct {
	*placement
	all   *string        // the time of every slice; if nil, each slice has its own
	alike map[int32]bool // items that findAlike has found
}

func triggersOf(p *placement) triggers {
	t := triggers{placement: p}
	created := p.req.Meta.CreationTimestamp
	switch at, given := p.req.trigger(); {
	case given:
		t.all = &at
	case len(p.live()) == 0 && !p.req.Options.NoPlaceholder && !created.IsZero():
		at = triggerText(created)
		t.all = &at
	case slices.ContainsFunc(p.req.Groups, knowsChange):
		t.findAlike()
	}
	return t
}

func knowsChange(g Group) bool {
	return slices.ContainsFunc(g.Endpoints, func(e Endpoint) bool { return !e.Changed.IsZero() })
}

func triggerText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// of returns the trigger time of a slice that will have these items, or "" if it has none.
func (t *triggers) of(items []int32) string {
	if t.all != nil {
		return *t.all
	}
	var earliest time.Time
	for _, i := range items {
		if at := t.changed(i); !at.IsZero() && (earliest.IsZero() || at.Before(earliest)) && t.records(i) {
			earliest = at
		}
	}
	return triggerText(earliest)
}

// changed returns the time at which an item last changed. The time is zero if it is not known or is
// before Meta.CreationTimestamp.
func (t *triggers) changed(i int32) time.Time {
	at := t.req.changedAt(t.items[i].source)
	if at.Before(t.req.Meta.CreationTimestamp) {
		return time.Time{}
	}
	return at
}

// records reports whether the change of an item counts.
func (t *triggers) records(i int32) bool {
	it := &t.items[i]
	return !(it.published && serving(it.previous) == serving(it.endpoint)) && !t.alike[i]
}

func serving(e *discoveryv1.Endpoint) bool { return conditions.Of(e.Conditions).Serving }

// findAlike finds items whose change does not count, although previous has another serving
// condition or the item is not published: another copy of the endpoint, in the same slice or on
// other ports, already has the wanted serving condition.
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
		if !it.published && it.place != none && t.slices[it.place].written() && !t.changed(int32(i)).IsZero() {
			elsewhere = append(elsewhere, int32(i))
		}
	}
	if len(elsewhere) == 0 {
		return
	}
	// said[c][id] is true if some slice holds the endpoint with this identity and the serving
	// condition c.
	count := t.wanted.index.count()
	said := map[bool][]bool{false: make([]bool, count), true: make([]bool, count)}
	for n := range t.live() {
		s := &t.slices[n]
		if s.portsBefore != none && len(t.wanted.portSets) == 1 {
			continue
		}
		for j := range s.object.Endpoints {
			e := &s.object.Endpoints[j]
			if id, _ := t.wanted.index.identity(e, s.typ); id != none {
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
