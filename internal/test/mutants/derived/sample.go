package derived

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Sample draws n of the mutants, or all if there are fewer, in the order of the source. One seed draws the same from the
// same list, and a smaller sample of a seed is part of a larger one.
func Sample(all []Mutant, n int, seed uint64) []Mutant {
	drawn := slices.Clone(all)
	random := rand.New(rand.NewPCG(seed, uint64(len(all))))
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	drawn = drawn[:min(n, len(drawn))]
	slices.SortFunc(drawn, func(a, b Mutant) int { return cmp.Compare(a.ID, b.ID) })
	return drawn
}
