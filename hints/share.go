package hints

// shares are the weights of the zones, sorted by name, and their sum.
type shares struct {
	names  []string
	weight []uint64
	total  wide
}

// newShares reads valid weights.
func newShares(w Weights) shares {
	s := shares{names: w.names()}
	s.weight = make([]uint64, len(s.names))
	for z, name := range s.names {
		s.weight[z] = uint64(w.Zones[name])
		s.total = s.total.plus(s.weight[z])
	}
	return s
}

// refused lists the zones that the API server does not take as hints.
func (s *shares) refused() nameList {
	var refused nameList
	for _, zone := range s.names {
		if !validZone(zone) {
			refused.add(zone)
		}
	}
	return refused
}

// minimum returns the least number of n endpoints that keeps zone z at or below an overload of percent:
// ceil(100*weight*n / ((100+percent)*total)).
func (s *shares) minimum(z, n, percent int) int {
	need := product(s.weight[z], uint64(n)).times(100)
	return int(need.ceilQuotient(s.total.times(uint64(100+percent)), uint64(n)))
}

// minimums appends the minimum of every zone.
func (s *shares) minimums(to []int, n, percent int) []int {
	for z := range s.weight {
		to = append(to, s.minimum(z, n, percent))
	}
	return to
}

// feasible reports whether n endpoints can meet all minimums.
func (s *shares) feasible(n, percent int) bool {
	sum := 0
	for z := range s.weight {
		if sum += s.minimum(z, n, percent); sum > n {
			return false
		}
	}
	return true
}

// heavier reports whether an endpoint of zone a, of x, carries more than one of zone b, of y: weight/x compared with
// no division. Zones without endpoints carry most; the heavier of them first.
func (s *shares) heavier(a, x, b, y int) bool {
	if x == 0 && y == 0 {
		return s.weight[a] > s.weight[b]
	}
	return product(s.weight[b], uint64(x)).less(product(s.weight[a], uint64(y)))
}

// overload returns by how much x of n endpoints in zone z exceed their fair share: weight*n/(total*x) - 1, rounded up.
// x must not be 0.
func (s *shares) overload(z, x, n int) Overload {
	const scale = 100 * 100
	carried, fair := product(s.weight[z], uint64(n)), s.total.times(uint64(x))
	if fair.less(carried) {
		return Overload(carried.minus(fair).times(scale).ceilQuotient(fair, uint64(n)*scale))
	}
	// Rounding a negative number up drops what is beyond the last whole hundredth.
	spare := fair.minus(carried).times(scale)
	q := spare.ceilQuotient(fair, scale)
	if spare.less(fair.times(q)) {
		q--
	}
	return -Overload(q)
}

// best returns the lowest overload that n endpoints can reach, n being at least the number of zones: each next
// endpoint goes to the zone whose endpoints carry most.
func (s *shares) best(n int) Overload {
	count := make([]int, len(s.weight))
	order := newRanking(s, count, heaviestFirst)
	for z := range s.weight {
		order.add(z)
	}
	for range n {
		count[order.top()]++
		order.fix()
	}
	worst := s.overload(0, count[0], n)
	for z := range count {
		worst = max(worst, s.overload(z, count[z], n))
	}
	return worst
}

// The steps times zones that next searches at most.
const searchLimit = 1 << 14

// next returns the least number of endpoints above n that is feasible. From n*percent >= (zones-1)*(100+percent) on
// every number is, which bounds the search and is the answer where the search would be long.
func (s *shares) next(n, percent int) int {
	if percent == 0 {
		return 0
	}
	zones := len(s.weight)
	always := int((int64(zones-1)*int64(100+percent) + int64(percent-1)) / int64(percent))
	for m, steps := n+1, searchLimit/zones; m < always && steps > 0; m, steps = m+1, steps-1 {
		if s.feasible(m, percent) {
			return m
		}
	}
	return max(always, n+1)
}
