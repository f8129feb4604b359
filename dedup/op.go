package dedup

import (
	"slices"
)

// op is a record that a slice no longer holds at a port, or now does, or whose slice became newer or older.
type op struct {
	record *record
	host   host
	number uint16
	verb   opVerb
}

type opVerb uint8

const (
	opRemove opVerb = iota
	opAdd
	opTouch
)

// run is a list of ops of one slice.
type run struct {
	records []*record
	number  uint16
	verb    opVerb
}

// compareOps orders by address, then by port number. All ops of a slice at a port have one number.
func compareOps(a, b op) int {
	if c := comparePlaces(a.host, b.host, a.record, b.record); c != 0 {
		return c
	}
	return int(a.number) - int(b.number)
}

func comparePlaces(a, b host, x, y *record) int {
	if a != b {
		return a.compare(b)
	}
	if a == (host{}) {
		return compareHosts(x, y)
	}
	return 0
}

// radixFrom is the length from which sorting by digits is faster than by comparisons.
const radixFrom = 64

// sortOps puts ops in the order of compareOps, equal ones side by side in any order. scratch is as long as ops. The
// result is one of the two.
func sortOps(ops, scratch []op) []op {
	if len(ops) < radixFrom {
		slices.SortFunc(ops, compareOps)
		return ops
	}
	// Only digits that are not the same everywhere need a pass: of the addresses of a cluster, two or three.
	var varies [3]uint64
	for i := range ops {
		for w := range varies {
			varies[w] |= ops[i].word(w) ^ ops[0].word(w)
		}
	}
	for w := range varies {
		for shift := 0; shift < 64; shift += 8 {
			if varies[w]>>shift&255 != 0 {
				pass(ops, scratch, w, shift)
				ops, scratch = scratch, ops
			}
		}
	}
	sortNames(ops)
	return ops
}

// word returns a part of the key that ops are sorted by, the least significant first.
func (o *op) word(i int) uint64 {
	switch i {
	case 0:
		return uint64(o.number)
	case 1:
		return o.host.lo
	default:
		return o.host.hi
	}
}

// pass is one step of a radix sort, from the least digit to the greatest: it puts from into to, in the order of the
// digit at shift in a word, and leaves ops with the same digit in their order.
func pass(from, to []op, word, shift int) {
	var start [256]int
	for i := range from {
		start[from[i].word(word)>>shift&255]++
	}
	next := 0
	for d, n := range start {
		start[d] = next
		next += n
	}
	for i := range from {
		d := from[i].word(word) >> shift & 255
		to[start[d]] = from[i]
		start[d]++
	}
}

// sortNames sorts the ops of names, whose hosts are all zero and therefore come first.
func sortNames(ops []op) {
	n := 0
	for n < len(ops) && ops[n].host == (host{}) {
		n++
	}
	slices.SortFunc(ops[:n], compareOps)
}
