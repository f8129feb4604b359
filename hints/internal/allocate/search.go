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

// search plans for few endpoints: of all sizes the ones that keep most traffic in its zone first, until endpoints are found that serve
// so many. It returns false, and changes nothing, for many endpoints or where it would be long.
func (p *plan) search() bool {
	if len(p.Home) > exactUpTo {
		return false
	}
	limit, first := p.bound(p.Limit), sizes{of: make([]int, len(p.Weights))}
	for z, w := range p.Weights {
		if w > 0 {
			first.of[z] = max(1, p.own[z])
			for first.of[z] < len(p.Home) && p.part(z, first.of[z]) > limit {
				first.of[z]++
			}
		}
	}
	steps := searchSteps
	for open := []sizes{p.judge(first)}; len(open) > 0 && steps > 0; { // the best is the last
		s := open[len(open)-1]
		open = open[:len(open)-1]
		f := &fill{plan: p, size: s.of, limit: limit, steps: &steps}
		if f.start(); f.next(0) {
			p.crews, p.size, p.known = f.crews(), f.sizes(), nil
			return true
		}
		for z := s.last; z < len(s.of); z++ {
			if p.Weights[z] == 0 || s.of[z] == len(p.Home) {
				continue
			}
			more := sizes{of: slices.Clone(s.of), last: z}
			more.of[z]++
			more = p.judge(more)
			at, _ := slices.BinarySearchFunc(open, more, func(a, b sizes) int { return cmp.Or(cmp.Compare(a.near, b.near), slices.Compare(b.of, a.of)) })
			open = slices.Insert(open, at, more)
			steps--
		}
	}
	return false
}

func (p *plan) judge(s sizes) sizes {
	s.near = 0
	for z, k := range s.of {
		s.near += p.stays(z, k)
	}
	return s
}

// team is a number of endpoints in one zone that serve the same zones so far.
type team struct {
	home, count int
	zones       []int
	load        uint64
}

// fill looks for endpoints that serve as many zones as size says, each within the limit.
type fill struct {
	*plan
	size  []int
	limit uint64
	steps *int
	teams []team
	order []int // zones that need endpoints which are not their own, those with the largest parts first
}

func (f *fill) start() {
	for _, c := range f.plan.crews {
		t := team{home: c.home, count: len(c.members), zones: c.zones}
		if c.home != Nowhere && f.Weights[c.home] > 0 {
			t.load = f.part(c.home, f.size[c.home])
		}
		f.teams = append(f.teams, t)
	}
	for z, k := range f.size {
		if k > f.own[z] {
			f.order = append(f.order, z)
		}
	}
	slices.SortStableFunc(f.order, func(a, b int) int { return cmp.Compare(f.part(b, f.size[b]), f.part(a, f.size[a])) })
}

// next finds endpoints for the n-th zone of the order and all that follow.
func (f *fill) next(n int) bool {
	if n == len(f.order) {
		return !slices.ContainsFunc(f.teams, func(t team) bool { return t.count > 0 && (len(t.zones) == 0 || t.load > f.limit) })
	}
	z := f.order[n]
	part := f.part(z, f.size[z])
	var may []int
	for i, t := range f.teams {
		if t.count > 0 && t.home != z && t.load+part <= f.limit && len(t.zones) < MaxNames {
			may = append(may, i)
		}
	}
	slices.SortStableFunc(may, func(a, b int) int { return cmp.Compare(f.teams[a].load, f.teams[b].load) })
	return f.choose(n, may, f.size[z]-f.own[z])
}

// choose takes so many endpoints of the teams, each number of each team in turn.
func (f *fill) choose(n int, may []int, need int) bool {
	if *f.steps--; *f.steps < 0 {
		return false
	}
	if need == 0 {
		return f.next(n + 1)
	}
	if len(may) == 0 {
		return false
	}
	i, z := may[0], f.order[n]
	t, length := f.teams[i], len(f.teams)
	for count := min(need, t.count); count >= 0; count-- {
		f.teams = f.teams[:length]
		if f.teams[i].count = t.count - count; count > 0 {
			f.teams = append(f.teams, team{t.home, count, with(t.zones, z), t.load + f.part(z, f.size[z])})
		}
		if f.choose(n, may[1:], need-count) {
			return true
		}
	}
	f.teams = f.teams[:length]
	f.teams[i] = t
	return false
}

// crews gives the endpoints of each zone to its teams.
func (f *fill) crews() []crew {
	rest := map[int][]int{}
	for _, c := range f.plan.crews {
		rest[c.home] = append(rest[c.home], c.members...)
	}
	var crews []crew
	for _, t := range f.teams {
		if t.count > 0 {
			crews = append(crews, crew{t.home, t.zones, true, rest[t.home][:t.count:t.count]})
			rest[t.home] = rest[t.home][t.count:]
		}
	}
	return crews
}

// sizes counts zones without weight, too.
func (f *fill) sizes() []int {
	size := slices.Clone(f.size)
	for z, w := range f.Weights {
		if w == 0 {
			size[z] = f.own[z]
		}
	}
	return size
}
