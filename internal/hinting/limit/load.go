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

// Minimum is the smallest number of endpoints that keeps a zone within the limit if they serve no
// other zone.
func (a *Allocator) Minimum(zone int) int { return a.ratios.Minimum(zone, len(a.Home), a.Limit) }

// Served returns three lists by zone: how many endpoints are in the zone, how many endpoints serve
// it, and how far the busiest endpoint that serves it is above the mean, in hundredths of a
// percent, rounded up. over is 0 if no endpoint serves the zone. zones is a result of Decide.
func (a *Allocator) Served(zones [][]int) (local, size []int, over []int64) {
	size, over = make([]int, len(a.Weights)), make([]int64, len(a.Weights))
	for _, set := range zones {
		for _, z := range set {
			size[z]++
		}
	}
	busiest := make([]uint64, len(a.Weights))
	for _, set := range zones {
		load := uint64(0)
		for _, z := range set {
			load += a.part(z, size[z])
		}
		for _, z := range set {
			busiest[z] = max(busiest[z], load)
		}
	}
	for z, load := range busiest {
		if size[z] > 0 {
			// The load is the sum of at most MaxNames parts, and each was rounded up by less than
			// 1. With MaxNames subtracted, a load that is exact in hundredths does not become one
			// hundredth more.
			load -= min(load, MaxNames)
			over[z] = int64(allocate.CeilQuotient(load, 10000, a.whole/uint64(len(a.Home)))) - 10000
		}
	}
	return a.local, size, over
}
