package slicer

import "github.com/slicewright/slicewright/slicer/internal/packing"

// deal puts the homeless items of each group where the deals say, in canonical order. What finds no place, because nothing
// can be created, keeps none.
func (p *placing) deal(c typeProblem, deals []packing.Deal, l layout, homeless [][]int32) layout {
	for n, d := range deals {
		if g := c.groups[n]; c.Groups[n].Homeless > 0 {
			l = p.dealGroup(c, g, d, l, homeless[g])
		}
	}
	return l
}

// dealGroup fills the slices of a deal. Re-used slices first take back the endpoints that they hold, so that these
// change their ports in one write (G6).
func (p *placing) dealGroup(c typeProblem, g int32, d packing.Deal, l layout, items []int32) layout {
	p.w.ids.Sort(items)
	for _, n := range d.Reused {
		l = p.reuse(g, c.slices[n], l)
	}
	next := 0
	fill := func(place int32, room int) {
		for ; room > 0 && next < len(items); next++ {
			if l.places[items[next]] == none {
				l.put(items[next], place)
				room--
			}
		}
	}
	for _, list := range [...][]int{d.Written, d.Opened, d.Reused} {
		for _, n := range list {
			o := &l.slices[c.slices[n]]
			fill(c.slices[n], p.r.limits.Max-int(o.stay+o.taken))
		}
	}
	for range d.Created {
		fill(l.create(g, p.w.groups[g].Type), p.r.limits.Max)
	}
	return l
}

// reuse gives an idle slice to a group, with those of the endpoints it holds that the group has to place, up to the
// maximum.
func (p *placing) reuse(g, index int32, l layout) layout {
	l.reuse(index, g)
	endpoints := p.x.slices[index].object.Endpoints
	var back []int32
	seen := map[int32]bool{}
	for j := range endpoints {
		if i := p.w.ids.Find(&endpoints[j], g); i != none && l.places[i] == none && !seen[i] {
			seen[i] = true
			back = append(back, i)
		}
	}
	if len(back) > p.r.limits.Max {
		p.w.ids.Sort(back)
		back = back[:p.r.limits.Max]
	}
	for _, i := range back {
		l.put(i, index)
	}
	return l
}
