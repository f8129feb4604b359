package dedup

import "slices"

// spot is where something in another list stands: at an address and port number. It has no pointer, so that sorting many is
// cheap.
type spot struct {
	host   host
	number uint16
	verb   verb
	index  int32 // of the thing in its list
}

// verb says what became of a record at a spot. An index alone uses it.
type verb uint8

const (
	remove verb = iota // its slice does not have it any more
	add                // its slice now has it
	renew              // its slice has it as before, and became newer or older
)

// spots is a list to be sorted. The order is by address, then by port number; spots of names, whose host is zero, come
// first, in the order of their texts.
type spots struct {
	list, spare []spot
}

// compareSpots is the order of spots; names compares the texts of two things by their index.
func compareSpots(a, b *spot, names func(a, b int32) int) int {
	if a.host != b.host {
		return a.host.compare(b.host)
	}
	if a.host == (host{}) {
		if c := names(a.index, b.index); c != 0 {
			return c
		}
	}
	return int(a.number) - int(b.number)
}

// oneSpot reports whether two spots are one address and port number.
func oneSpot(a, b *spot, names func(a, b int32) int) bool {
	return a.host == b.host && a.number == b.number && (a.host != host{} || names(a.index, b.index) == 0)
}

// same returns how many of the first spots are one.
func same(list []spot, names func(a, b int32) int) int {
	n := 1
	for n < len(list) && oneSpot(&list[0], &list[n], names) {
		n++
	}
	return n
}

// spotCount returns how many different spots a sorted list has.
func spotCount(list []spot, names func(a, b int32) int) (count int) {
	for len(list) > 0 {
		list = list[same(list, names):]
		count++
	}
	return count
}

// radixFrom is the length from which sorting by digits is faster than by comparisons.
const radixFrom = 32

// sort puts the list in order, spots that are one in any order, and returns it.
func (s *spots) sort(names func(a, b int32) int) []spot {
	if len(s.list) < radixFrom {
		insertionSort(s.list, names)
		return s.list
	}
	// Only digits that are not the same everywhere need a pass: of the addresses of a cluster, two or three.
	var varies [keyWords]uint64
	for w := range varies {
		first := s.list[0].word(w)
		for i := range s.list {
			varies[w] |= s.list[i].word(w) ^ first
		}
	}
	s.spare = slices.Grow(s.spare[:0], len(s.list))[:len(s.list)]
	for w := range varies {
		for shift := 0; shift < 64; shift += 8 {
			if varies[w]>>shift&255 != 0 {
				pass(s.list, s.spare, w, shift)
				s.list, s.spare = s.spare, s.list
			}
		}
	}
	// Names have no digits.
	count := 0
	for count < len(s.list) && s.list[count].host == (host{}) {
		count++
	}
	slices.SortFunc(s.list[:count], func(a, b spot) int { return compareSpots(&a, &b, names) })
	return s.list
}

func insertionSort(list []spot, names func(a, b int32) int) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && compareSpots(&list[j-1], &list[j], names) > 0; j-- {
			list[j-1], list[j] = list[j], list[j-1]
		}
	}
}

// keyWords is how many words the key has that spots are sorted by.
const keyWords = 3

// word returns a word of the key, the least significant first.
func (s *spot) word(i int) uint64 {
	switch i {
	case 0:
		return uint64(s.number)
	case 1:
		return s.host.lo
	default:
		return s.host.hi
	}
}

// pass is one step of a radix sort, from the least digit to the greatest: it puts from into to, in the order of the
// digit at shift in a word, and leaves spots with the same digit in their order.
func pass(from, to []spot, word, shift int) {
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
