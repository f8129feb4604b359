package allocate

import (
	"cmp"
	"slices"
)

const (
	// exactUpTo is up to how many endpoints search looks for the plan that keeps most traffic in its zone.
	exactUpTo = 12
	// searchSteps is how many numbers and places it tries at most.
	searchSteps = 1 << 13
)

// sizes is how many endpoints serve each zone. The traffic that stays in its zone depends on nothing else.
type sizes struct {
	of   []int
	near uint64
	last int // the zone that was raised last: none before it is raised any more, so that all sizes are tried once
}

// search plans for few endpoints that serve no zone but their own: of all sizes the ones that keep most traffic in its zone first,
// until endpoints are found that serve so many. It returns nil for many endpoints or where it would be long.
func (p *plan) search() *plan {
	if len(p.Home) > exactUpTo {
		return nil
	}
	first := slices.Clone(p.size)
	for z, w := range p.Weights {
		if w > 0 {
			first[z] = max(1, p.own[z], p.Minimum(z))
		}
	}
	f := fill{limit: p.bound(p.Limit), steps: searchSteps}
	for open := []sizes{{of: first}}; len(open) > 0 && f.steps > 0; { // the best is the last
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if f.find(p, s.of) {
			return f.plan
		}
		for z := s.last; z < len(s.of); z++ {
			if p.Weights[z] == 0 || s.of[z] == len(p.Home) {
				continue
			}
			more := sizes{of: slices.Clone(s.of), last: z}
			more.of[z]++
			more.near = p.near(more.of)
			at, _ := slices.BinarySearchFunc(open, more, func(a, b sizes) int { return cmp.Or(cmp.Compare(a.near, b.near), slices.Compare(b.of, a.of)) })
			open = slices.Insert(open, at, more)
			f.steps--
		}
	}
	return nil
}

// fill looks for endpoints that serve as many zones as size says, each within the limit.
type fill struct {
	*plan
	limit uint64
	steps int
	order []int // zones that need endpoints which are not their own, those with the largest parts first
}

func (f *fill) find(from *plan, size []int) bool {
	f.plan, f.order = &plan{Sharing: from.Sharing, crews: slices.Clone(from.crews), size: size}, nil
	for z, k := range size {
		if k > f.own[z] {
			f.order = append(f.order, z)
		}
	}
	f.largestFirst(f.order)
	return f.next(0)
}

// next finds endpoints for the n-th zone of the order and all that follow.
func (f *fill) next(n int) bool {
	if n == len(f.order) {
		return f.fits(f.limit)
	}
	z := f.order[n]
	part := f.part(z, f.size[z])
	var may []int
	for i, c := range f.crews {
		if len(c.members) > 0 && c.home != z && f.load(c)+part <= f.limit && len(c.zones) < MaxNames {
			may = append(may, i)
		}
	}
	slices.SortStableFunc(may, func(a, b int) int { return cmp.Compare(f.load(f.crews[a]), f.load(f.crews[b])) })
	return f.choose(n, may, f.size[z]-f.own[z])
}

// choose takes so many members of the crews, each number of each crew in turn.
func (f *fill) choose(n int, may []int, need int) bool {
	if f.steps--; f.steps < 0 {
		return false
	}
	if need == 0 {
		return f.next(n + 1)
	}
	if len(may) == 0 {
		return false
	}
	i, length := may[0], len(f.crews)
	c := f.crews[i]
	for rest := max(0, len(c.members)-need); rest <= len(c.members); rest++ {
		f.crews[i] = &crew{c.home, c.zones, true, c.members[:rest]}
		f.crews = append(f.crews[:length], &crew{c.home, with(c.zones, f.order[n]), true, c.members[rest:]})
		if f.choose(n, may[1:], need-len(c.members)+rest) {
			return true
		}
	}
	f.crews = f.crews[:length]
	f.crews[i] = c
	return false
}
