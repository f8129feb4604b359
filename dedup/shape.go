package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// shape is what endpoints of one slice have in common that are of one zone and in one state.
type shape struct {
	source          *source
	usability       decide.Usability
	zone            string
	kind, namespace string // of the target
	zones           []discoveryv1.ForZone
}

func (s *shape) equal(t *shape) bool {
	return s.source == t.source && s.usability == t.usability && s.zone == t.zone && s.kind == t.kind && s.namespace == t.namespace && slices.Equal(s.zones, t.zones)
}

// shapes remembers shapes, so that equal ones are one. It forgets some when there are many: then equal ones are
// several, which costs memory and nothing else.
type shapes [64]*shape

// slot is where a shape is remembered: the ends of names tell zones apart.
func (s *shape) slot() int {
	slot := 7 * ending(s.zone)
	if len(s.zones) > 0 {
		slot += 3 * ending(s.zones[0].Name)
	}
	return (slot + len(s.namespace)) % len(shapes{})
}

func ending(name string) int {
	switch n := len(name); n {
	case 0:
		return 0
	case 1:
		return int(name[0])
	default:
		return int(name[n-1]) + 5*int(name[n-2])
	}
}

// get returns a shape equal to want, with memory of its own.
func (all *shapes) get(want *shape) *shape {
	at := want.slot()
	// Two places, the last one asked for in front, so that two shapes with one slot do not push each other out.
	switch front, back := all[at], all[at^1]; {
	case front != nil && front.equal(want):
		return front
	case back != nil && back.equal(want):
		all[at], all[at^1] = back, front
		return back
	}
	s := *want
	if front := all[at]; front != nil && slices.Equal(front.zones, want.zones) {
		s.zones = front.zones
	} else {
		s.zones = slices.Clone(want.zones)
	}
	all[at], all[at^1] = &s, all[at]
	return &s
}

// recall remembers the shapes of records.
func (all *shapes) recall(records []*record) {
	var last *shape
	for _, r := range records {
		if r.shape != last {
			last = r.shape
			all[last.slot()] = last
		}
	}
}
