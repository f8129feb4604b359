package dedup

import (
	"slices"
)

// op is a record that a slice no longer has at a port, or now has, or whose slice became newer or older. It has no
// pointer, so that sorting many is cheap: index is the record's place in opList.records.
type op struct {
	host   host
	number uint16
	verb   opVerb
	index  int32
}

type opVerb uint8

const (
	opRemove opVerb = iota
	opAdd
	opRenew
)

// opList is ops, and the records that they are about.
type opList struct {
	ops, spare []op
	records    []*record
}

func (l *opList) reset() { l.ops, l.records = l.ops[:0], emptied(l.records) }

func (l *opList) add(verb opVerb, number uint16, records []*record) {
	l.ops = slices.Grow(l.ops, len(records))
	for _, r := range records {
		l.ops = append(l.ops, op{host: r.host, number: number, verb: verb, index: int32(len(l.records))})
		l.records = append(l.records, r)
	}
}

// next returns how many of the first ops are about one address and port number.
func (l *opList) next(ops []op) int {
	n := 1
	for n < len(ops) && l.compare(ops[0], ops[n]) == 0 {
		n++
	}
	return n
}

// compare orders by address, then by port number.
func (l *opList) compare(a, b op) int {
	if a.host != b.host {
		return a.host.compare(b.host)
	}
	if a.host == (host{}) {
		if c := compareHosts(l.records[a.index], l.records[b.index]); c != 0 {
			return c
		}
	}
	return int(a.number) - int(b.number)
}

// radixFrom is the length from which sorting by digits is faster than by comparisons.
const radixFrom = 64

// sort puts the ops in the order of compare, those about one place in any order, and returns them.
func (l *opList) sort() []op {
	if len(l.ops) < radixFrom {
		slices.SortFunc(l.ops, l.compare)
		return l.ops
	}
	// Only digits that are not the same everywhere need a pass: of the addresses of a cluster, two or three.
	var varies [keyWords]uint64
	for i := range l.ops {
		for w := range varies {
			varies[w] |= l.ops[i].word(w) ^ l.ops[0].word(w)
		}
	}
	l.spare = slices.Grow(l.spare[:0], len(l.ops))[:len(l.ops)]
	for w := range varies {
		for shift := 0; shift < 64; shift += 8 {
			if varies[w]>>shift&255 != 0 {
				pass(l.ops, l.spare, w, shift)
				l.ops, l.spare = l.spare, l.ops
			}
		}
	}
	// Names have no digits: their hosts are zero, and come first.
	names := 0
	for names < len(l.ops) && l.ops[names].host == (host{}) {
		names++
	}
	slices.SortFunc(l.ops[:names], l.compare)
	return l.ops
}

// keyWords is how many words the key has that ops are sorted by.
const keyWords = 3

// word returns a word of the key, the least significant first.
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
