package hints

import "slices"

// search walks the sets in order of their names, so that the first of equal cost stays.
type search struct {
	*chooser
	classes   *classes
	transport *transport
	perSlice  [][]int // the classes of each slice that can be opened

	open     []int
	count    []int // of each class, over written and opened slices
	held     []int // hints in the slices still frozen, by zone
	crossing int   // of these, those out of their zone

	found []int
	cost  cost
}

func newSearch(c *chooser) *search {
	s := c.survey
	q := &search{chooser: c, held: slices.Clone(s.frozen), perSlice: make([][]int, len(s.in))}
	q.classes = s.classify(func(i int) bool { return !s.tallies[i].frozen || c.gain[i] > 0 })
	q.transport = newTransport(&s.shares, q.classes.list)
	q.count = make([]int, len(q.classes.list))
	for i := range s.in {
		if !s.tallies[i].frozen {
			q.classes.count(s.in, i, q.count)
			continue
		}
		q.crossing += s.tallies[i].away
		if c.gain[i] > 0 {
			q.perSlice[i] = make([]int, len(q.count))
			q.classes.count(s.in, i, q.perSlice[i])
		}
	}
	return q
}

// best compares all sets of a size and returns the best one that does, nil when none does.
func (s *search) best(size int) []int {
	s.found = nil
	s.from(0, size)
	return s.found
}

// from opens size more slices, none before c.able[first].
func (s *search) from(first, size int) {
	if size == 0 {
		s.judge()
		return
	}
	for i := first; i+size <= len(s.able); i++ {
		s.turn(s.able[i], +1)
		s.from(i+1, size-1)
		s.turn(s.able[i], -1)
	}
}

// turn opens a slice, or closes it for a sign of -1.
func (s *search) turn(slice, sign int) {
	if sign > 0 {
		s.open = append(s.open, slice)
	} else {
		s.open = s.open[:len(s.open)-1]
	}
	s.shift(s.held, slice, -sign)
	s.crossing -= sign * s.survey.tallies[slice].away
	for class, n := range s.perSlice[slice] {
		s.count[class] += sign * n
	}
}

// judge keeps the open slices if they do and cost less than those found so far.
func (s *search) judge() {
	if excess(s.held, s.goal.low, s.survey.ready) > 0 {
		return
	}
	cost := s.transport.solve(s.count, s.held, s.goal)
	cost.crossing += s.crossing
	if s.found == nil || cost.less(s.cost) {
		s.found, s.cost = slices.Clone(s.open), cost
	}
}
