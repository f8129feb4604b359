package mirror

import "slices"

// sort sorts the mentions by merging the ascending runs that they come in: lists that people and controllers write are
// sorted, mostly, and there are a few of them.
//
//	1 5 9 | 2 3 | 4      two runs at a time
//	1 2 3 5 9 | 4        until there is one
//	1 2 3 4 5 9
func (c *mentions) sort() {
	c.sorting = slices.Grow(c.sorting[:0], len(c.list))[:len(c.list)]
	for runs := 2; runs > 1; {
		runs = 0
		for at := 0; at < len(c.list); runs++ {
			middle := at + c.run(c.list[at:])
			end := middle + c.run(c.list[middle:])
			c.merge(c.sorting[at:end], c.list[at:middle], c.list[middle:end])
			at = end
		}
		c.list, c.sorting = c.sorting, c.list
	}
}

// run counts the mentions at the front that are in order.
func (c *mentions) run(list []mention) int {
	n := min(1, len(list))
	for n < len(list) && c.compare(&list[n-1], &list[n]) <= 0 {
		n++
	}
	return n
}

// merge fills out with two sorted lists; of equal ones the first list's come first.
func (c *mentions) merge(out, a, b []mention) {
	for i := range out {
		if len(b) == 0 || len(a) > 0 && c.compare(&a[0], &b[0]) <= 0 {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}
