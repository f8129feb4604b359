// Package persist has an immutable list in order. A new version shares most of its memory with the one that it was made from, so
// that readers keep theirs without a lock. It knows no Kubernetes: whoever has elements compares them.
package persist

import (
	"slices"
	"sort"
)

// List is an immutable list in order. A long list is a tree. A list and its next version share the parts that are the same:
//
//	before        [  .   .   .  ]          edit e
//	             /       |       \
//	         [a b c]  [d e f]  [g h i]
//	             \       |       /
//	after         |   [d E f]   |
//	              [  .   .   .  ]
//
// An edit copies the leaf that it touches and the rows of pointers above it. The zero value is empty.
type List[T any] struct {
	elements []T        // of a leaf
	parts    []*List[T] // of a longer list: none of them empty, all of one height
}

const (
	// most bounds what an edit of one element copies for each level: elements of a leaf, parts of a longer list. least keeps
	// parts from withering.
	most  = 128
	least = 32
)

// Edit replaces the element of the list that compares equal to Element, or inserts Element if there is none. With Remove it removes
// the equal element, if there is one.
type Edit[T any] struct {
	Element T
	Remove  bool
}

// Len counts the elements, leaf by leaf.
func (l *List[T]) Len() int {
	n := len(l.elements)
	for _, p := range l.parts {
		n += p.Len()
	}
	return n
}

// Find returns the element for which compare is 0; nil if there is none. compare is negative for elements before it, and positive
// for those after it. The result points into the list: read-only.
func (l *List[T]) Find(compare func(element *T) int) *T {
	for l.parts != nil {
		l = l.parts[part(l.parts, compare)]
	}
	if i, found := sort.Find(len(l.elements), func(i int) int { return -compare(&l.elements[i]) }); found {
		return &l.elements[i]
	}
	return nil
}

// part returns the index of the part that has an element, if any has: the last one that does not begin after it, or the first.
func part[T any](parts []*List[T], compare func(element *T) int) int {
	i, found := sort.Find(len(parts), func(i int) int { return -compare(parts[i].first()) })
	if !found {
		i = max(i-1, 0)
	}
	return i
}

// All yields the elements in order, as pointers into the list: read-only.
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

// Apply returns the list after edits, which are in the order of the list, each element once.
func (l *List[T]) Apply(edits []Edit[T], compare func(a, b *T) int) List[T] {
	if len(edits) == 0 {
		return *l
	}
	if l.parts == nil && len(l.elements)+len(edits) <= most {
		return List[T]{elements: merge(l.elements, edits, compare)}
	}
	parts := l.apply(nil, edits, compare)
	for len(parts) > 1 {
		parts = group(nil, parts)
	}
	root := &List[T]{}
	for len(parts) == 1 {
		root, parts = parts[0], parts[0].parts
	}
	return *root
}

// apply appends the list after edits, as any number of lists of its height.
func (l *List[T]) apply(to []*List[T], edits []Edit[T], compare func(a, b *T) int) []*List[T] {
	if l.parts == nil {
		return leaves(to, merge(l.elements, edits, compare))
	}
	parts, rest := slices.Clone(l.parts)[:0], l.parts
	for len(edits) > 0 {
		at := part(rest, func(e *T) int { return compare(e, &edits[0].Element) })
		n := len(edits)
		if at+1 < len(rest) {
			next := rest[at+1].first()
			n, _ = sort.Find(n, func(i int) int { return compare(next, &edits[i].Element) })
		}
		parts = rest[at].apply(append(parts, rest[:at]...), edits[:n], compare)
		edits, rest = edits[n:], rest[at+1:]
	}
	return group(to, join(append(parts, rest...)))
}

// merge returns the elements of a leaf after edits, in memory of their own.
func merge[T any](elements []T, edits []Edit[T], compare func(a, b *T) int) []T {
	after := make([]T, 0, len(elements)+len(edits))
	for i := range edits {
		e := &edits[i]
		at, found := sort.Find(len(elements), func(i int) int { return compare(&e.Element, &elements[i]) })
		after, elements = append(after, elements[:at]...), elements[at:]
		if found {
			elements = elements[1:]
		}
		if !e.Remove {
			after = append(after, e.Element)
		}
	}
	after = append(after, elements...)
	if cap(after)-len(after) > 4 { // what is kept has room for few more
		return slices.Clone(after)
	}
	return after
}

// small reports whether a part is to be joined with a neighbour.
func (l *List[T]) small() bool { return max(len(l.elements), len(l.parts))/least == 0 }

// join joins parts that are too small with their neighbours, in place.
func join[T any](parts []*List[T]) []*List[T] {
	joined := parts[:0]
	for _, p := range parts {
		n := len(joined) - 1
		switch {
		case n < 0 || !p.small() && !joined[n].small():
			joined = append(joined, p)
		case p.parts == nil:
			joined = leaves(joined[:n], slices.Concat(joined[n].elements, p.elements))
		default:
			joined = group(joined[:n], join(slices.Concat(joined[n].parts, p.parts))) // an only part may be too small
		}
	}
	return joined
}

// leaves appends leaves with all elements of a list.
func leaves[T any](to []*List[T], list []T) []*List[T] {
	for _, piece := range cut(list) {
		if len(piece) < len(list) {
			piece = slices.Clone(piece) // because each leaf may live on without the others
		}
		to = append(to, &List[T]{elements: piece})
	}
	return to
}

// group appends lists that together have the parts.
func group[T any](to, parts []*List[T]) []*List[T] {
	for _, piece := range cut(parts) {
		to = append(to, &List[T]{parts: slices.Clone(piece)}) // because parts may be longer, and change
	}
	return to
}

// cut returns as few pieces of a list as can be, of about equal length, none of them empty or longer than most.
func cut[E any](list []E) (all [][]E) {
	n := len(list)
	count := (n + most - 1) / most
	for i := range count {
		all = append(all, list[i*n/count:(i+1)*n/count])
	}
	return all
}

// first returns the first element of a list that is not empty.
func (l *List[T]) first() *T {
	for l.parts != nil {
		l = l.parts[0]
	}
	return &l.elements[0]
}
