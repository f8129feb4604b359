// Package persist has an immutable sorted list. A new version of a list shares most of its memory
// with the old one, so readers keep the old one without a lock. The package does not know
// Kubernetes: callers compare the elements.
package persist

import (
	"slices"
	"sort"
)

// List is an immutable sorted list. A long list is a tree. A list and its next version share the
// equal parts:
//
//	before        [  .   .   .  ]          edit e
//	             /       |       \
//	         [a b c]  [d e f]  [g h i]
//	             \       |       /
//	after         |   [d E f]   |
//	              [  .   .   .  ]
//
// An edit copies the leaf that it changes and the rows of pointers above it. The zero value is
// empty.
type List[T any] struct {
	elements []T        // elements of a leaf
	parts    []*List[T] // parts of a longer list; no part is empty, and all parts have the same height
}

const (
	// most is the largest number of elements in a leaf, and of parts in a longer list. It bounds
	// how much an edit of one element copies at each level. least is the smallest number. A part
	// with fewer elements or parts is joined with a neighbour, so that removals do not leave many
	// small parts.
	most  = 128
	least = 32
)

// Edit replaces the element that compares equal to Element, or inserts Element if there is none.
// With Remove it removes the equal element, if there is one.
type Edit[T any] struct {
	Element T
	Remove  bool
}

// Len returns the number of elements. It looks at every leaf.
func (l *List[T]) Len() int {
	n := len(l.elements)
	for _, p := range l.parts {
		n += p.Len()
	}
	return n
}

// Find returns the element for which compare returns 0, or nil if there is none. compare returns a
// negative number for elements before that element, and a positive number for elements after it.
// The result points into the list, and must not be changed.
func (l *List[T]) Find(compare func(element *T) int) *T {
	for l.parts != nil {
		l = l.parts[part(l.parts, compare)]
	}
	if i, found := sort.Find(len(l.elements), func(i int) int { return -compare(&l.elements[i]) }); found {
		return &l.elements[i]
	}
	return nil
}

// part returns the index of the part in which an element is, if the list has it. It is the last
// part that does not begin after the element, or else the first part.
func part[T any](parts []*List[T], compare func(element *T) int) int {
	i, found := sort.Find(len(parts), func(i int) int { return -compare(parts[i].first()) })
	if !found {
		i = max(i-1, 0)
	}
	return i
}

// All yields pointers to the elements in order. They point into the list, and must not be changed.
func (l *List[T]) All(yield func(*T) bool) {
	for i := range l.elements {
		if !yield(&l.elements[i]) {
			return
		}
	}
	for _, p := range l.parts {
		for e := range p.All {
			if !yield(e) {
				return
			}
		}
	}
}

// Apply returns the list after edits. The edits must be in the order of the list, with at most one
// edit for each element.
func (l *List[T]) Apply(edits []Edit[T], compare func(a, b *T) int) List[T] {
	if len(edits) == 0 {
		return *l
	}
	if l.parts == nil && pieces(len(l.elements)+len(edits)) == 1 {
		return List[T]{elements: merge(l.elements, edits, compare)}
	}
	var parts []*List[T]
	// If an empty list becomes long, its leaves are made directly from the edits, so that the
	// elements are not first copied into one large leaf.
	if l.parts == nil && len(l.elements) == 0 && !slices.ContainsFunc(edits, func(e Edit[T]) bool { return e.Remove }) {
		for _, piece := range cut(edits) {
			parts = append(parts, &List[T]{elements: merge(nil, piece, compare)})
		}
	} else {
		parts = l.apply(nil, edits, compare)
	}
	for len(parts) > 1 {
		parts = group(nil, parts)
	}
	if len(parts) == 0 {
		return List[T]{}
	}
	root := parts[0]
	for len(root.parts) == 1 { // after removals there may be only one part; then no list above it is needed
		root = root.parts[0]
	}
	return *root
}

// apply appends the list after edits, divided into any number of lists of the same height.
func (l *List[T]) apply(to []*List[T], edits []Edit[T], compare func(a, b *T) int) []*List[T] {
	if l.parts == nil {
		return leaves(to, merge(l.elements, edits, compare))
	}
	parts, rest := slices.Clone(l.parts)[:0], l.parts
	hasSmall := false
	for len(edits) > 0 {
		at := part(rest, func(e *T) int { return compare(e, &edits[0].Element) })
		n := len(edits) // the number of edits before the next part
		if at+1 < len(rest) {
			next := rest[at+1].first()
			n, _ = sort.Find(n, func(i int) int { return compare(next, &edits[i].Element) })
		}
		same := len(parts) + at
		parts = rest[at].apply(append(parts, rest[:at]...), edits[:n], compare)
		for _, p := range parts[same:] {
			hasSmall = hasSmall || p.small()
		}
		edits, rest = edits[n:], rest[at+1:]
	}
	if parts = append(parts, rest...); hasSmall {
		parts = join(parts)
	}
	return group(to, parts)
}

// merge returns the elements of a leaf after edits, in a list without spare capacity.
func merge[T any](elements []T, edits []Edit[T], compare func(a, b *T) int) []T {
	find := func(list []T, e *Edit[T]) (at, end int) { // list[at:end] is the equal element, or empty
		at, found := sort.Find(len(list), func(i int) int { return compare(&e.Element, &list[i]) })
		if found {
			return at, at + 1
		}
		return at, at
	}
	// The elements are counted first, so that the list has no spare capacity: every view keeps this
	// memory.
	n := len(elements)
	for i, rest := 0, elements; i < len(edits); i++ {
		at, end := find(rest, &edits[i])
		n, rest = n-(end-at), rest[end:]
		if !edits[i].Remove {
			n++
		}
	}
	after := make([]T, 0, n)
	for i := range edits {
		at, end := find(elements, &edits[i])
		after, elements = append(after, elements[:at]...), elements[end:]
		if !edits[i].Remove {
			after = append(after, edits[i].Element)
		}
	}
	return append(after, elements...)
}

// small reports whether a part must be joined with a neighbour.
func (l *List[T]) small() bool { return max(len(l.elements), len(l.parts))/least == 0 }

// join joins parts that are too small with their neighbours, in place.
func join[T any](parts []*List[T]) []*List[T] {
	for i := 0; i < len(parts) && len(parts) > 1; i++ {
		if !parts[i].small() {
			continue
		}
		at := max(i-1, 0)
		a, b := parts[at], parts[at+1]
		var both []*List[T]
		if a.parts == nil {
			both = leaves(nil, slices.Concat(a.elements, b.elements))
		} else {
			// the parts of a and b may be too small, too, if a or b had only one part
			both = group(nil, join(slices.Concat(a.parts, b.parts)))
		}
		parts = slices.Replace(parts, at, at+2, both...)
		i = at - 1 // look at the joined part again, because it may still be too small
	}
	return parts
}

// leaves appends leaves with all elements of a list.
func leaves[T any](to []*List[T], list []T) []*List[T] {
	if pieces(len(list)) == 1 {
		return append(to, &List[T]{elements: list})
	}
	for _, piece := range cut(list) {
		to = append(to, &List[T]{elements: slices.Clone(piece)})
	}
	return to
}

// group divides parts among new lists, and appends these lists.
func group[T any](to, parts []*List[T]) []*List[T] {
	for _, piece := range cut(parts) {
		to = append(to, &List[T]{parts: slices.Clone(piece)}) // a clone, because the caller changes parts later
	}
	return to
}

// cut divides a list into the smallest number of pieces of at most the length most. Their lengths
// differ by at most one, and none is empty.
func cut[E any](list []E) (all [][]E) {
	n, count := len(list), pieces(len(list))
	for i := range count {
		all = append(all, list[i*n/count:(i+1)*n/count])
	}
	return all
}

// pieces returns the number of pieces that cut makes of n elements.
func pieces(n int) int { return (n + most - 1) / most }

// first returns the first element of a list that is not empty.
func (l *List[T]) first() *T {
	for l.parts != nil {
		l = l.parts[0]
	}
	return &l.elements[0]
}
