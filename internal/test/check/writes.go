package check

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// checkFilling compares the plan with a reference implementation of the rules of G4, which counts
// endpoints.
func (o *outcome) checkFilling(h *current) {
	byType := map[discoveryv1.AddressType][]*discoveryv1.EndpointSlice{}
	for _, s := range o.live {
		byType[s.AddressType] = append(byType[s.AddressType], s)
	}
	for t := range o.types {
		f := filling{
			outcome: o, current: h, addressType: t, slices: byType[t],
			size: map[*discoveryv1.EndpointSlice]int{}, group: map[*discoveryv1.EndpointSlice]*group{},
			left: map[*group]int{}, created: map[*group][]int{},
		}
		for _, g := range o.groups {
			if g.addressType == t {
				f.groups = append(f.groups, g)
				f.left[g] = len(g.wanted)
			}
		}
		if len(f.groups) == 0 {
			f.checkPlaceholder()
		} else {
			f.fill()
			f.check()
		}
	}
}

// filling is the number of endpoints in the slices of one address type.
type filling struct {
	*outcome
	current     *current
	addressType discoveryv1.AddressType
	groups      []*group
	slices      []*discoveryv1.EndpointSlice
	size        map[*discoveryv1.EndpointSlice]int
	group       map[*discoveryv1.EndpointSlice]*group
	left        map[*group]int   // endpoints without a slice
	created     map[*group][]int // sizes
}

// fill does what the four steps of G4 say.
func (f *filling) fill() {
	slices.SortFunc(f.groups, planOrder)
	slices.SortFunc(f.slices, func(a, b *discoveryv1.EndpointSlice) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range f.slices {
		if g := f.current.group[s]; g != nil {
			n := len(f.current.at[s])
			if f.dirty(s, f.current) {
				n = f.stay(n)
			}
			f.group[s] = g
			f.size[s] = n
			f.left[g] -= n
		}
	}
	for _, g := range f.groups {
		for _, s := range f.fullestFirst(g, true) {
			f.take(s, g)
		}
	}
	for _, samePorts := range []bool{true, false} {
		for _, g := range f.groups {
			for _, s := range f.slices {
				if f.group[s] == nil && (!samePorts || KeyOf(s) == g.key) {
					f.take(s, g)
				}
			}
		}
	}
	for _, g := range f.groups {
		f.open(g)
	}
}

// take puts endpoints of a group into a slice.
func (f *filling) take(s *discoveryv1.EndpointSlice, g *group) {
	if n := min(f.left[g], f.max-f.size[s]); n > 0 {
		f.group[s] = g
		f.size[s] += n
		f.left[g] -= n
	}
}

// open fills slices that need no update, or creates slices.
func (f *filling) open(g *group) {
	list := f.fullestFirst(g, false)
	for f.left[g] > 0 {
		fits := slices.IndexFunc(list, func(s *discoveryv1.EndpointSlice) bool { return f.max-f.size[s] >= f.left[g] })
		switch n := min(f.left[g], f.max); {
		case fits >= 0:
			f.take(list[fits], g)
		case !f.set.Terminating:
			f.created[g] = append(f.created[g], n)
			f.left[g] -= n
		case len(list) > 0:
			f.take(list[len(list)-1], g)
			list = list[:len(list)-1]
		default:
			return
		}
	}
}

// fullestFirst lists the slices of a group that must be written, or the others.
func (f *filling) fullestFirst(g *group, dirty bool) []*discoveryv1.EndpointSlice {
	var list []*discoveryv1.EndpointSlice
	for _, s := range f.slices {
		if f.current.group[s] == g && f.dirty(s, f.current) == dirty {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b *discoveryv1.EndpointSlice) int { return cmp.Compare(f.size[b], f.size[a]) })
	return list
}

// check compares the plan with the counts. A recycled slice keeps the endpoints of its new group
// that it holds, however many these are, so for a group with one, only the number of its slices is
// compared.
func (f *filling) check() {
	recycles := map[*group]bool{}
	for s, g := range f.group {
		recycles[g] = recycles[g] || f.current.group[s] == nil
	}
	for _, s := range f.slices {
		now, was := f.byOld[s], f.current.group[s]
		if f.group[s] == nil {
			if now.now != nil {
				f.fail("G4", "slice %s is kept, want it deleted", s.Name)
			}
			continue
		}
		if g := f.group[s]; now.group != g || len(now.ids) != f.size[s] && !recycles[g] {
			f.fail("G4", "slice %s has %d endpoints, want %d on %s", s.Name, len(now.ids), f.size[s], f.group[s].key)
		}
		must := was == nil || f.dirty(s, f.current) || f.size[s] > len(f.current.at[s])
		if now.written() != must && !recycles[was] {
			f.fail("G4", "slice %s is written: %t, want %t", s.Name, now.written(), must)
		}
	}
	created := map[*group][]int{}
	for _, s := range f.slots {
		if s.old == nil && s.now.AddressType == f.addressType {
			created[s.group] = append(created[s.group], len(s.ids))
		}
	}
	for _, g := range f.groups {
		if len(created[g]) != len(f.created[g]) || !recycles[g] && !slices.Equal(created[g], f.created[g]) {
			f.fail("G4", "slices of %v endpoints are created for %s, want %v", created[g], g.key, f.created[g])
		}
	}
}

// checkPlaceholder checks the number of writes for an address type without endpoints.
func (f *filling) checkPlaceholder() {
	have, want := 0, len(f.slices)
	for _, s := range f.slots {
		one := cmp.Or(s.old, s.now)
		if s.written() && !slices.Contains(f.former, s.old) && one.AddressType == f.addressType {
			have++
		}
	}
	if f.wantsPlaceholder(f.addressType) {
		if slices.ContainsFunc(f.slices, func(s *discoveryv1.EndpointSlice) bool {
			return len(s.Endpoints) == 0 && len(s.Ports) == 0 && f.differences(s) == (differences{})
		}) {
			want--
		} else if want == 0 && !f.set.Terminating {
			want = 1
		}
	}
	if have != want {
		f.fail("G4", "%d writes for %s, want %d", have, f.addressType, want)
	}
}

// dirty reports whether a slice that is the current slice of endpoints must be written.
func (o *outcome) dirty(s *discoveryv1.EndpointSlice, h *current) bool {
	g := h.group[s]
	if KeyOf(s) != g.key || o.differences(s) != (differences{}) || len(s.Endpoints) != len(h.at[s]) {
		return true
	}
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		id := g.id(e)
		w := g.wanted[id]
		if w == nil || h.slice[g][id] != s || !sameContent(e, w.pick, false) ||
			!o.hintsFit(g, id, w, e.Hints) {
			return true
		}
	}
	return false
}
