// Package persist has an immutable sorted list. An edit copies the list, so readers keep the old one
// without a lock. The package does not know Kubernetes: callers compare the elements.
package persist

import (
	"slices"
	"sort"
)

// List is an immutable sorted list. The zero value is empty.
type List[T any] struct{ elements []T }

// Edit replaces the element that compares equal to Element, or inserts Element if there is none.
// With Remove it removes the equal element, if there is one.
type Edit[T any] struct {
	Element T
	Remove  bool
}

// Len returns the number of elements.
func (l *List[T]) Len() int { return len(l.elements) }

// Find returns the element for which compare returns 0, or nil if there is none. compare returns a
// negative number for elements before that element, and a positive number for elements after it.
// The result points into the list, and must not be changed.
func (l *List[T]) Find(compare func(element *T) int) *T {
	if i, found := sort.Find(len(l.elements), func(i int) int { return -compare(&l.elements[i]) }); found {
		return &l.elements[i]
	}
	return nil
}

// All yields pointers to the elements in order. They point into the list, and must not be changed.
func (l *List[T]) All(yield func(*T) bool) {
	for i := range l.elements {
		if !yield(&l.elements[i]) {
			return
		}
	}
}

// Apply returns the list after edits. The edits must be in the order of the list, with at most one
// edit for each element.
func (l *List[T]) Apply(edits []Edit[T], compare func(a, b *T) int) List[T] {
	if len(edits) == 0 {
		return *l
	}
	after := make([]T, 0, len(l.elements)+len(edits))
	rest := l.elements
	for i := range edits {
		e := &edits[i]
		at, found := sort.Find(len(rest), func(i int) int { return compare(&e.Element, &rest[i]) })
		after = append(after, rest[:at]...)
		rest = rest[at:]
		if found {
			rest = rest[1:]
		}
		if !e.Remove {
			after = append(after, e.Element)
		}
	}
	after = append(after, rest...)
	if cap(after)-len(after) > len(after)/8 { // many elements were removed or replaced: every view keeps this memory
		after = slices.Clone(after)
	}
	return List[T]{after}
}
