package slices

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// checkReuse: free slices go to the port set that wants most of what they hold (G4). It looks for a free slice and a
// group that would both gain, and only where all groups together can use every free slice or need no other place, for
// else fewer slices come first.
func (o *outcome) checkReuse(h *homes) {
	for _, s := range o.live {
		from := o.byOld[s]
		if h.group[s] != nil || !o.types[s.AddressType] || !o.plainReuse(s.AddressType, h) {
			continue
		}
		have := 0
		if from.group != nil {
			have = o.overlap(h, s, from.group, nil)
		}
		for _, g := range o.groups {
			if g == from.group || g.addressType != s.AddressType {
				continue
			}
			would := o.overlap(h, s, g, from)
			if would <= have {
				continue
			}
			for _, other := range o.slots {
				fresh := other.old == nil || h.group[other.old] == nil
				if other.group == g && fresh && (other.old == nil || o.overlap(h, other.old, g, nil) < would) {
					o.fail("G4", "free slice %s holds %d endpoints of %s, and %s is used there instead", s.Name, would, g.key, other.name())
				}
			}
		}
	}
}

// plainReuse reports whether no clean slice of the type could take what is left, so that fewer slices never compete
// with the best re-use.
func (o *outcome) plainReuse(t discoveryv1.AddressType, h *homes) bool {
	for _, s := range of(t, o.live) {
		if g := h.group[s]; g != nil && !o.dirty(s, h) && len(h.at[s]) < o.max {
			return false
		}
	}
	return true
}

// overlap counts the endpoints of a free slice that the group places in slices which are created or re-used. For a slice
// that does not serve the group, those that another re-used slice holds and keeps do not count: whether the first of two
// slices with the same endpoints makes the second worth less is open, so the plan gets the better of both readings.
func (o *outcome) overlap(h *homes, s *discoveryv1.EndpointSlice, g *group, self *slot) int {
	var counted []string
	for i := range s.Endpoints {
		id := g.id(&s.Endpoints[i])
		if slices.Contains(counted, id) {
			continue
		}
		for _, place := range o.slots {
			if place.group != g || !slices.Contains(place.ids, id) || !place.written() {
				continue
			}
			kept := self != nil && place != self && place.old != nil && len(copies(place.old, g, id)) > 0
			home := place.old != nil && h.group[place.old] == g && place.old != s
			if !kept && !home {
				counted = append(counted, id)
				break
			}
		}
	}
	return len(counted)
}

// checkFill: of the slices that are written anyway the fullest are filled first, and of clean slices that have room for
// the rest the fullest is opened (G4, best fit), or where nothing may be created, the emptiest.
func (o *outcome) checkFill(h *homes) {
	for _, a := range o.live {
		for _, b := range o.live {
			g := h.group[a]
			if a == b || g == nil || h.group[b] != g || len(h.at[a]) <= len(h.at[b]) {
				continue
			}
			full, other := o.byOld[a], o.byOld[b]
			room, takes := o.max-len(full.ids), len(other.ids)-len(h.at[b])
			switch {
			case o.dirty(a, h) && o.dirty(b, h) && room > 0 && takes > 0:
				o.fail("G4", "slice %s, home of %d, gets %d endpoints, and the fuller %s, home of %d, has room for %d",
					b.Name, len(h.at[b]), takes, a.Name, len(h.at[a]), room)
			case !o.in.Set.Terminating && !o.dirty(a, h) && !o.dirty(b, h) && !full.written() && takes > 0 && room >= takes:
				o.fail("G4", "slice %s, home of %d, is opened for %d endpoints, and the fuller %s, home of %d, has room for %d",
					b.Name, len(h.at[b]), takes, a.Name, len(h.at[a]), room)
			}
		}
	}
}
