package hints

import "slices"

// share is a run of endpoints of one class that go to one zone.
type share struct{ zone, count int }

// deal turns the last solution into a list of shares for each class: those that go where their hint points, those that
// are lent, those that stay. It adds what every zone gets to hinted, which holds what the frozen slices give.
func (t *transport) deal(count, hinted []int) [][]share {
	zones := len(t.homes)
	imports, exports := make([]int, zones), make([]int, zones)
	dealt := make([][]share, len(t.classes))
	direct := make([]int, len(t.classes))
	for i, c := range t.classes {
		if t.direct[i] < 0 {
			continue
		}
		if direct[i] = t.flow.used(t.direct[i]); direct[i] > 0 {
			dealt[i] = append(dealt[i], share{c.prior, direct[i]})
			imports[c.prior] += direct[i]
			if c.home != nowhere {
				exports[c.home] += direct[i]
			}
		}
	}
	vacant, lent := slices.Clone(imports), slices.Clone(exports)
	t.spread(hinted, imports, exports)
	for z := range zones {
		hinted[z] += t.homes[z] + imports[z] - exports[z]
		vacant[z] = imports[z] - vacant[z]
		lent[z] = exports[z] - lent[z]
	}
	t.dealOthers(count, direct, vacant, lent, dealt)
	return dealt
}

// spread fills imports and exports up to what the solution needs: what must be, then the rest from the zones whose
// endpoints carry least, right hints last, to those whose endpoints carry most.
func (t *transport) spread(frozen, imports, exports []int) {
	zones := len(t.homes)
	has := make([]int, zones)
	more, less := t.homeless+t.leave, t.leave
	for z := range zones {
		imports[z], exports[z] = max(imports[z], t.need[z]), max(exports[z], t.push[z])
		has[z] = frozen[z] + t.homes[z] + imports[z] - exports[z]
		more -= imports[z]
		less -= exports[z]
	}
	limit := make([]int, zones)
	for z := range zones {
		limit[z] = min(t.give[z], t.away[z])
	}
	less = t.raise(lightestFirst, less, exports, limit, has, -1)
	less = t.raise(lightestFirst, less, exports, t.give, has, -1)
	more = t.raise(heaviestFirst, more, imports, t.room, has, +1)
	if less != 0 || more != 0 {
		panic("hints: the solution does not add up")
	}
}

// raise increases amounts one by one, up to limit, at the zone that comes first, and returns what is left of rest. has
// goes along by step.
func (t *transport) raise(first extreme, rest int, amount, limit, has []int, step int) int {
	if rest == 0 {
		return 0
	}
	order := newRanking(t.shares, has, first)
	for z := range amount {
		if amount[z] < limit[z] {
			order.add(z)
		}
	}
	for ; rest > 0 && !order.empty(); rest-- {
		z := order.top()
		amount[z]++
		has[z] += step
		if amount[z] < limit[z] {
			order.fix()
		} else {
			order.drop()
		}
	}
	return rest
}

// dealOthers deals the endpoints that leave home, or have none, without going where their hint points: zone by zone, those
// that are hinted home last. Then everybody else stays.
func (t *transport) dealOthers(count, direct, vacant, lent []int, dealt [][]share) {
	zone := 0
	deal := func(i, n int) {
		for n > 0 {
			if vacant[zone] == 0 {
				zone++
				continue
			}
			part := min(n, vacant[zone])
			dealt[i] = append(dealt[i], share{zone, part})
			vacant[zone] -= part
			n -= part
		}
	}
	stay := make([]int, len(t.classes))
	for _, hintedHome := range []bool{false, true} {
		for i, c := range t.classes {
			if c.hintedHome() != hintedHome {
				continue
			}
			rest := count[i] - direct[i]
			if c.home == nowhere {
				deal(i, rest)
				continue
			}
			leave := min(rest, lent[c.home])
			lent[c.home] -= leave
			stay[i] = rest - leave
			deal(i, leave)
		}
	}
	for i, c := range t.classes {
		if stay[i] > 0 {
			dealt[i] = append(dealt[i], share{c.home, stay[i]})
		}
	}
}
