package limit

import (
	"math/bits"

	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// prepare chooses the scale: as large as fits into 64 bits, and a multiple of all numbers up to 12,
// so that the loads of up to 12 endpoints are exact. Other loads are rounded up.
func (a *Allocator) prepare() {
	const everyUpTo12 = 27720
	a.ratios = allocate.NewWeights(a.Weights)
	total := uint64(a.ratios.Total())
	a.scale = everyUpTo12 << (61 - bits.Len64(total) - bits.Len64(everyUpTo12))
	a.whole, a.local = total*a.scale, make([]int, len(a.Weights))
	for _, h := range a.Home {
		if h != allocate.Nowhere {
			a.local[h]++
		}
	}
}

// bound returns the highest load that is at most a percentage above the mean. The result is at most
// a.whole, because one endpoint never carries more.
func (a *Allocator) bound(percent int) uint64 {
	all := 100 * uint64(len(a.Home))
	return allocate.Quotient(a.whole, min(100+uint64(percent), all), all)
}

// part returns the traffic of a zone that each of k endpoints carries. If k is 0, part returns what
// a first endpoint would carry.
func (a *Allocator) part(zone, k int) uint64 {
	k = max(k, 1)
	return (uint64(a.Weights[zone])*a.scale + uint64(k) - 1) / uint64(k)
}

// near returns the traffic that stays in its zone.
func (a *Allocator) near(p *plan) (sum uint64) {
	for z, k := range p.size {
		sum += allocate.Quotient(uint64(a.Weights[z])*a.scale, uint64(a.local[z]), uint64(max(k, 1)))
	}
	return sum
}
