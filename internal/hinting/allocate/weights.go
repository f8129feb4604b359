package allocate

import (
	"cmp"
	"math/bits"
)

// Nowhere is the index of a zone without a weight, and the zone of an endpoint that has none.
const Nowhere = -1

// MaxTotal is the largest sum of weights. NodeWeights of package hints bounds the CPU of each Node,
// so that real clusters stay far below it. Package forecast has the same bound.
const MaxTotal = 1 << 40

// Weights are the weights of the zones, each positive. NewWeights makes them.
type Weights struct {
	of    []int64
	total int64
}

// NewWeights returns the weights. It keeps the list.
func NewWeights(of []int64) Weights {
	w := Weights{of: of}
	for _, weight := range of {
		w.total += weight
	}
	return w
}

// Total returns the sum of the weights.
func (w *Weights) Total() int64 { return w.total }

// Minimum returns how many of n endpoints zone z needs, so that its overload is at most the given
// percentage.
func (w *Weights) Minimum(z, n, percent int) int {
	return int(CeilQuotient(uint64(w.of[z]), uint64(100*n), uint64(w.total)*uint64(100+percent)))
}

// Minimums returns the minimum of every zone.
func (w *Weights) Minimums(n, percent int) []int {
	list := make([]int, len(w.of))
	for z := range list {
		list[z] = w.Minimum(z, n, percent)
	}
	return list
}

// Feasible reports whether n endpoints are enough to meet all minimums.
func (w *Weights) Feasible(n, percent int) bool {
	sum := 0
	for z := range w.of {
		sum += w.Minimum(z, n, percent)
	}
	return sum <= n
}

// The directions of byLoad: zones with a high load come first, or zones with a low load.
const (
	mostFirst  = 1
	leastFirst = -1
)

// byLoad returns an order of zones by the load of one of their endpoints, weight/count. A zone
// without endpoints has a higher load than any other. Of two zones without endpoints, the one with
// more weight has the higher load. Zones with equal loads are sorted by index. count is read at
// each comparison, so the order follows its changes.
func (w *Weights) byLoad(count []int, direction int) func(a, b int) int {
	return func(a, b int) int {
		order := cmp.Compare(w.of[a]*int64(count[b]), w.of[b]*int64(count[a])) // exact, unlike a division
		if count[a] == count[b] {
			order = cmp.Compare(w.of[a], w.of[b])
		}
		return cmp.Or(-direction*order, a-b)
	}
}

// Quotient returns a*b/divisor, rounded down. The product has 128 bits. The quotient must fit into
// 64.
func Quotient(a, b, divisor uint64) uint64 {
	high, low := bits.Mul64(a, b)
	quotient, _ := bits.Div64(high, low, divisor)
	return quotient
}

// CeilQuotient returns a*b/divisor, rounded up. The quotient must fit into 64 bits.
func CeilQuotient(a, b, divisor uint64) uint64 {
	high, low := bits.Mul64(a, b)
	low, carry := bits.Add64(low, divisor-1, 0)
	quotient, _ := bits.Div64(high+carry, low, divisor)
	return quotient
}
