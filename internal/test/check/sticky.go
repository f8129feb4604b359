package check

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// current says which slice is the current slice of each endpoint (G5).
type current struct {
	group map[*discoveryv1.EndpointSlice]*group   // that a slice serves; nil: none, it is free
	at    map[*discoveryv1.EndpointSlice][]string // identities whose current slice it is, in that group
	slice map[*group]map[string]*discoveryv1.EndpointSlice
}

// findCurrent applies the rules of G5 to the existing slices. Where they leave a choice (ties, and
// which surplus goes) it follows the plan, and notes where the plan's choice is none of those
// allowed.
func (o *outcome) findCurrent() *current {
	h := &current{
		group: map[*discoveryv1.EndpointSlice]*group{},
		at:    map[*discoveryv1.EndpointSlice][]string{},
		slice: map[*group]map[string]*discoveryv1.EndpointSlice{},
	}
	byAge := slices.Clone(o.live)
	slices.SortFunc(byAge, newerFirst)
	var lostPorts []*discoveryv1.EndpointSlice
	for _, s := range byAge {
		if g := o.byKey[KeyOf(s)]; g != nil && o.types[s.AddressType] {
			h.keep(s, g, h.unassigned(s, g))
		} else if o.types[s.AddressType] {
			lostPorts = append(lostPorts, s)
		}
	}
	for _, s := range lostPorts {
		if o.compacts() {
			o.reassignCompact(h, s)
		} else {
			o.reassign(h, s)
		}
	}
	return h
}

// unassigned lists the identities that the slice holds and the group wants and that have no current
// slice in the group.
func (h *current) unassigned(s *discoveryv1.EndpointSlice, g *group) []string {
	var ids []string
	for i := range s.Endpoints {
		id := g.id(&s.Endpoints[i])
		if g.wanted[id] != nil && h.slice[g][id] == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// keep makes a slice the current slice of some endpoints.
func (h *current) keep(s *discoveryv1.EndpointSlice, g *group, ids []string) {
	if len(ids) == 0 {
		return
	}
	if h.slice[g] == nil {
		h.slice[g] = map[string]*discoveryv1.EndpointSlice{}
	}
	h.group[s] = g
	h.at[s] = ids
	for _, id := range ids {
		h.slice[g][id] = s
	}
}

// reassign gives a slice whose ports are not wanted any more to the ports that most of its
// unassigned endpoints want.
func (o *outcome) reassign(h *current, s *discoveryv1.EndpointSlice) {
	most := 0
	for _, g := range o.groups {
		if g.addressType == s.AddressType {
			most = max(most, len(h.unassigned(s, g)))
		}
	}
	now := o.byOld[s]
	if most == 0 || now == nil {
		return
	}
	if now.group == nil || len(h.unassigned(s, now.group)) != most {
		o.fail("G5", "slice %s lost its ports %s and must take those that %d of its endpoints want now", s.Name,
			KeyOf(s), most)
		return
	}
	var stay []string
	for _, id := range h.unassigned(s, now.group) {
		if slices.Contains(now.ids, id) {
			stay = append(stay, id)
		}
	}
	if want := o.stay(most); len(stay) != want {
		o.fail("G5", "slice %s takes other ports and keeps %d of %d endpoints, want %d", s.Name, len(stay), most, want)
	}
	h.keep(s, now.group, stay)
}

// stay is how many endpoints stay in a slice that is written, if it is their current slice: the
// maximum, or all while the parent is terminating (G5).
func (v *view) stay(count int) int {
	if v.set.Terminating {
		return count
	}
	return min(count, v.max)
}

// kept is how many of the endpoints whose current slice it is are in it after the plan as well.
func (o *outcome) kept(h *current, s *discoveryv1.EndpointSlice) (n int) {
	now := o.byOld[s]
	for _, id := range h.at[s] {
		if now != nil && now.group == h.group[s] && slices.Contains(now.ids, id) {
			n++
		}
	}
	return n
}

// checkSticky: endpoints stay in their current slice, and slices that are not written hold nothing
// else (G5).
func (o *outcome) checkSticky(h *current) {
	for s, ids := range h.at {
		now := o.byOld[s]
		if now == nil {
			continue
		}
		if now.group != h.group[s] {
			o.fail("G5", "slice %s is the current slice of %v, and now serves something else", s.Name, ids)
			continue
		}
		stay, want := o.kept(h, s), len(ids)
		if now.written() {
			want = o.stay(want)
		}
		if stay != want {
			o.fail("G5", "slice %s is the current slice of %v and keeps %d of them, want %d", s.Name, ids, stay, want)
		}
	}
	o.checkUnwritten(h, "G5")
}

// checkUnwritten: a slice that is not written holds only endpoints whose current slice it is, each
// once.
func (o *outcome) checkUnwritten(h *current, guarantee string) {
	for _, s := range o.slots {
		if s.now == nil || s.written() {
			continue
		}
		for _, id := range s.ids {
			if h.slice[s.group][id] != s.old {
				o.fail(guarantee, "slice %s is not written but holds %s, which has another current slice", s.name(), id)
			}
		}
		if len(s.ids) > len(h.at[s.old]) {
			o.fail(guarantee, "slice %s is not written but holds an endpoint twice", s.name())
		}
	}
}
