package address

import (
	"iter"
	"strings"
)

// Port is an address with a port number, and the index of its entry in a list of the caller's. It has no pointer, so that sorting
// many is cheap.
type Port struct {
	Host   Host
	Number uint16
	Tag    uint8 // the caller's
	Index  int32
}

// Ports is a list to be sorted by address, then by port number. Ports of names, whose host is zero, come first, in the order of
// their texts.
type Ports struct {
	List []Port
	// Name returns the name at an index. It is asked for ports whose host is zero.
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

// Runs yields the parts of the sorted list that have one address and port number.
func (l *Ports) Runs(yield func([]Port) bool) {
	Runs(l.List, func(a, b *Port) bool {
		return a.Number == b.Number && a.Host == b.Host && (!a.Host.IsName() || l.Name(a.Index) == l.Name(b.Index))
	})(yield)
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
