package mirror

// sortClaims sorts claims by merging the ascending runs that they come in: lists that people and controllers write are
// sorted, mostly, and there are a few of them.
// The list is used as scratch memory.
//
//	1 5 9 | 2 3 | 4      two runs at a time
//	1 2 3 5 9 | 4        until there is one
//	1 2 3 4 5 9
func sortClaims(list []claim) []claim {
	scratch := make([]claim, len(list))
	for {
		runs := 0
		for at := 0; at < len(list); runs++ {
			middle := at + ascending(list[at:])
			end := middle + ascending(list[middle:])
			merge(scratch[at:end], list[at:middle], list[middle:end])
			at = end
		}
		list, scratch = scratch, list
		if runs <= 1 {
			return list
		}
	}
}

// ascending counts the claims at the front that are in order.
func ascending(list []claim) int {
	n := min(1, len(list))
	for n < len(list) && compareClaims(&list[n-1], &list[n]) <= 0 {
		n++
	}
	return n
}

// merge fills out with two sorted lists; of equal ones the first list's come first.
func merge(out, a, b []claim) {
	for i := range out {
		if len(b) == 0 || len(a) > 0 && compareClaims(&a[0], &b[0]) <= 0 {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}
