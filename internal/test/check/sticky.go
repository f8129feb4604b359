package check

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// homes says which endpoints stay where (G5).
type homes struct {
	group map[*discoveryv1.EndpointSlice]*group   // that a slice serves; nil: none, it is free
	at    map[*discoveryv1.EndpointSlice][]string // identities at home in a slice, in that group
	home  map[*group]map[string]*discoveryv1.EndpointSlice
}

// findHomes applies the rules of G5 to the existing slices. Where they leave a choice (ties, and
// which surplus goes) it follows the plan, and notes where the plan's choice is none of those
// allowed.
func (o *outcome) findHomes() *homes {
	h := &homes{
		group: map[*discoveryv1.EndpointSlice]*group{},
		at:    map[*discoveryv1.EndpointSlice][]string{},
		home:  map[*group]map[string]*discoveryv1.EndpointSlice{},
	}
	byAge := slices.Clone(o.live)
	slices.SortFunc(byAge, newerFirst)
	var lostPorts []*discoveryv1.EndpointSlice
	for _, s := range byAge {
		if g := o.byKey[KeyOf(s)]; g != nil && o.types[s.AddressType] {
			h.makeHome(s, g, h.unassigned(s, g))
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

// unassigned lists the identities that the slice holds and the group wants and that have no home in
// the group.
func (h *homes) unassigned(s *discoveryv1.EndpointSlice, g *group) []string {
	var ids []string
	for i := range s.Endpoints {
		id := g.id(&s.Endpoints[i])
		if g.wanted[id] != nil && h.home[g][id] == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// makeHome makes a slice the home of some endpoints.
func (h *homes) makeHome(s *discoveryv1.EndpointSlice, g *group, ids []string) {
	if len(ids) == 0 {
		return
	}
	if h.home[g] == nil {
		h.home[g] = map[string]*discoveryv1.EndpointSlice{}
	}
	h.group[s] = g
	h.at[s] = ids
	for _, id := range ids {
		h.home[g][id] = s
	}
}

// reassign gives a slice whose port set disappeared to the port set that most of its unassigned
// endpoints want.
func (o *outcome) reassign(h *homes, s *discoveryv1.EndpointSlice) {
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
	h.makeHome(s, now.group, stay)
}

// stay is how many of the endpoints at home in a slice that is written stay: the maximum, or all
// while the parent is terminating (G5).
func (v *view) stay(homes int) int {
	if v.set.Terminating {
		return homes
	}
	return min(homes, v.max)
}

// kept is how many of the endpoints at home in a slice are in it after the plan, too.
func (o *outcome) kept(h *homes, s *discoveryv1.EndpointSlice) (n int) {
	now := o.byOld[s]
	for _, id := range h.at[s] {
		if now != nil && now.group == h.group[s] && slices.Contains(now.ids, id) {
			n++
		}
	}
	return n
}

// checkSticky: endpoints stay at home, and slices that are not written hold nothing else (G5).
func (o *outcome) checkSticky(h *homes) {
	for s, ids := range h.at {
		now := o.byOld[s]
		if now == nil {
			continue
		}
		if now.group != h.group[s] {
			o.fail("G5", "slice %s is home to %v, and now serves something else", s.Name, ids)
			continue
		}
		stay, want := o.kept(h, s), len(ids)
		if now.written() {
			want = o.stay(want)
		}
		if stay != want {
			o.fail("G5", "slice %s is home to %v and keeps %d of them, want %d", s.Name, ids, stay, want)
		}
	}
	o.checkUnwritten(h, "G5")
}

// checkUnwritten: a slice that is not written holds only endpoints at home in it, each once.
func (o *outcome) checkUnwritten(h *homes, guarantee string) {
	for _, s := range o.slots {
		if s.now == nil || s.written() {
			continue
		}
		for _, id := range s.ids {
			if h.home[s.group][id] != s.old {
				o.fail(guarantee, "slice %s is not written but holds %s, which is at home elsewhere", s.name(), id)
			}
		}
		if len(s.ids) > len(h.at[s.old]) {
			o.fail(guarantee, "slice %s is not written but holds an endpoint twice", s.name())
		}
	}
}
