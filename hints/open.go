package hints

// Beyond these bounds the slices to open are chosen greedily instead of exactly.
const (
	// subsetLimit is the number of sets of one size that are compared: any 2 of 100 slices, any 3 of 32, any of 14.
	subsetLimit = 5000
	// exactZones is the number of zones up to which sets are compared.
	exactZones = 16
)

// chooser picks the frozen slices to open: the fewest that leave room for the minimums, and among those the set that
// gives the least cost, then the first by name.
type chooser struct {
	survey *survey
	goal   goal
	want   []int // the least that the zones must give up of what they hold above their minimums, by zone
	excess int   // so much must be given up in all

	able []int // the slices that hold something to give up, by name
	gain []int // how much, by slice
}

// open returns the slices to open, sorted by name; nil when the frozen ones may stay.
func (s *survey) open(g goal) []int {
	c := &chooser{survey: s, goal: g, excess: excess(s.frozen, g.low, s.ready)}
	if c.excess <= 0 {
		return nil
	}
	c.want = make([]int, len(s.frozen))
	for z, held := range s.frozen {
		c.want[z] = max(0, held-g.low[z])
	}
	c.gain = make([]int, len(s.in))
	for _, i := range s.order {
		if s.tallies[i].frozen {
			if c.gain[i] = c.gives(i, c.want); c.gain[i] > 0 {
				c.able = append(c.able, i)
			}
		}
	}
	greedy := c.greedy()
	if len(s.names) > exactZones {
		return greedy
	}
	var search *search
	for size := c.fewest(); size <= len(greedy) && subsets(len(c.able), size) <= subsetLimit; size++ {
		if search == nil {
			search = newSearch(c)
		}
		if best := search.best(size); best != nil {
			return best
		}
	}
	return greedy
}

// gives returns how much of left the slice can give up.
func (c *chooser) gives(slice int, left []int) int {
	sum := 0
	for _, e := range c.survey.of(slice) {
		sum += min(e.count, left[e.zone])
	}
	return sum
}

// subsets returns how many sets of size there are among n, or something above subsetLimit.
func subsets(n, size int) int {
	size = min(size, n-size)
	if size < 0 {
		return subsetLimit + 1
	}
	count := int64(1)
	for i := range size {
		if count > subsetLimit {
			break
		}
		count = count * int64(n-i) / int64(i+1)
	}
	return int(min(count, subsetLimit+1))
}
