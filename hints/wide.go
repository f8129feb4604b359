package hints

import "math/bits"

// wide is an unsigned integer of 128 bits: products of a weight (62 bits), a number of endpoints and a percentage do
// not fit into 64, and the sum of the weights of many zones does not either.
type wide struct{ hi, lo uint64 }

// product returns a*b.
func product(a, b uint64) wide {
	hi, lo := bits.Mul64(a, b)
	return wide{hi, lo}
}

func (w wide) plus(b uint64) wide {
	lo, carry := bits.Add64(w.lo, b, 0)
	return wide{w.hi + carry, lo}
}

func (w wide) minus(v wide) wide {
	lo, borrow := bits.Sub64(w.lo, v.lo, 0)
	hi, _ := bits.Sub64(w.hi, v.hi, borrow)
	return wide{hi, lo}
}

// times returns w*b, which must fit.
func (w wide) times(b uint64) wide {
	hi, lo := bits.Mul64(w.lo, b)
	return wide{hi + w.hi*b, lo}
}

func (w wide) less(v wide) bool {
	if w.hi != v.hi {
		return w.hi < v.hi
	}
	return w.lo < v.lo
}

// ceilQuotient returns the least q with q*divisor >= w, which must be at most limit; limit*divisor must fit. Both are
// small here, so a binary search does it in few steps and leaves nothing to believe.
func (w wide) ceilQuotient(divisor wide, limit uint64) uint64 {
	low, high := uint64(0), limit
	for low < high {
		middle := low + (high-low)/2
		if divisor.times(middle).less(w) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
