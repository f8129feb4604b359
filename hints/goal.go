package hints

// goal is how many ready endpoints each zone should have, over all slices.
type goal struct {
	low  []int // at least
	high []int // at most, not counting what frozen slices hold above that; nil: no limit
}

// excess returns how far the frozen hints are from leaving room for the minimums: zero or less means that the other
// endpoints, of n, suffice to fill every zone up to its minimum.
func excess(frozen, minimums []int, n int) int {
	over := -n
	for z, m := range minimums {
		over += max(frozen[z], m)
	}
	return over
}
