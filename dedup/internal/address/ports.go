package address

import (
	"iter"
	"slices"
	"strings"
)

// Port is an address with a port number, and the index of its entry in a list of the caller. It has
// no pointer, so that sorting many Ports is cheap.
type Port struct {
	Host   Host
	Number uint16
	Index  int32
}

// Ports is a list that can be sorted by address, then by port number. Entries that have a name
// instead of an IP have the zero Host. They come first, in alphabetical order.
type Ports struct {
	List []Port
	// Name returns the name at an index. It is called for ports whose Host is zero.
	Name func(index int32) string

	spare []Port
}

func (l *Ports) compare(a, b Port) int {
	if a.Host != b.Host {
		return a.Host.Compare(b.Host)
	}
	if a.Host.IsName() {
		if c := strings.Compare(l.Name(a.Index), l.Name(b.Index)); c != 0 {
			return c
		}
	}
	return int(a.Number) - int(b.Number)
}

// Same returns how many ports at the head of a part of the sorted list have the same address and
// port number.
func (l *Ports) Same(list []Port) int {
	a := &list[0]
	for n := 1; n < len(list); n++ {
		b := &list[n]
		if a.Number != b.Number || a.Host != b.Host || a.Host.IsName() && l.Name(a.Index) != l.Name(b.Index) {
			return n
		}
	}
	return len(list)
}

// Runs yields the parts of a sorted list whose elements are the same.
func Runs[T any](list []T, same func(a, b *T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for len(list) > 0 {
			n := 1
			for n < len(list) && same(&list[0], &list[n]) {
				n++
			}
			if !yield(list[:n:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// radixFrom is the smallest length for which sorting by digits is faster than sorting by
// comparison.
const radixFrom = 32

// Sort sorts the list. Equal ports stay in their order.
//
// Long lists of IP addresses are sorted by digits. With slices.SortFunc, OnePort for ten slices of
// 100 endpoints takes 1.8 to 2.2 times as long (BenchmarkOnePort), and loading an Index 1.4 times.
func (l *Ports) Sort() {
	names := slices.ContainsFunc(l.List, func(p Port) bool { return p.Host.IsName() }) // names have no digits
	// The list is often sorted already if all entries are from one slice.
	if names || len(l.List) < radixFrom || slices.IsSortedFunc(l.List, l.compare) {
		slices.SortStableFunc(l.List, l.compare)
		return
	}
	l.spare = slices.Grow(l.spare[:0], len(l.List))[:len(l.List)]
	for word := range 3 {
		// Only digits that are not the same in all entries need a pass. In the addresses of a
		// cluster, these are two or three digits.
		varies, first := uint64(0), l.List[0].word(word)
		for i := range l.List {
			varies |= l.List[i].word(word) ^ first
		}
		for shift := 0; varies>>shift != 0; shift += 8 {
			if varies>>shift&255 != 0 {
				l.pass(word, shift)
			}
		}
	}
}

// word returns word i of the sort key. Word 0 is the least significant one.
func (p *Port) word(i int) uint64 {
	switch i {
	case 0:
		return uint64(p.Number)
	case 1:
		return p.Host.lo
	default:
		return p.Host.hi
	}
}

// pass is one step of the radix sort: it sorts by the digit at shift in a word, and keeps the order
// of ports with the same digit. Steps go from the least significant digit to the most significant
// one.
func (l *Ports) pass(word, shift int) {
	var start [257]int32
	from, to := l.List, l.spare[:len(l.List)]
	for i := range from {
		start[from[i].word(word)>>shift&255+1]++
	}
	for d := range 256 {
		start[d+1] += start[d]
	}
	for i := range from {
		d := from[i].word(word) >> shift & 255
		to[start[d]] = from[i]
		start[d]++
	}
	l.List, l.spare = to, from
}
