package persist

// Tree is an immutable ordered set, a balanced (AVL) tree: versions of it share nodes, and a new version makes one node for
// each level. Its zero value is empty.
//
//	before      d            insert e        d'      new: d', f', e
//	          /   \                        /   \
//	         b     f                      b     f'
//	        / \     \                    / \   / \
//	       a   c     g                  a   c e   g
type Tree[T any] struct{ root *node[T] }

type node[T any] struct {
	left, right *node[T]
	height      int8 // of 2^32 elements: at most 46
	value       T
}

// Insert returns the tree with a value, which must not be in it.
func (t Tree[T]) Insert(value T, compare func(a, b T) int) Tree[T] {
	return Tree[T]{t.root.insert(value, compare)}
}

// Remove returns the tree without the value that compares equal, and the tree itself where there is none.
func (t Tree[T]) Remove(value T, compare func(a, b T) int) Tree[T] {
	return Tree[T]{t.root.remove(value, compare)}
}

// First returns the first value for which reached is true, and whether there is one. reached must be true for all values
// that follow.
func (t Tree[T]) First(reached func(T) bool) (value T, found bool) {
	for n := t.root; n != nil; {
		if reached(n.value) {
			value, found, n = n.value, true, n.left
		} else {
			n = n.right
		}
	}
	return value, found
}

// Empty reports whether the tree has no value.
func (t Tree[T]) Empty() bool { return t.root == nil }

// Least returns the first value of a tree that is not empty.
func (t Tree[T]) Least() T {
	n := t.root
	for n.left != nil {
		n = n.left
	}
	return n.value
}

// Single reports whether the tree has one value.
func (t Tree[T]) Single() bool { return t.root != nil && t.root.height == 1 }

// All yields the values in order.
func (t Tree[T]) All(yield func(T) bool) { t.root.all(yield) }

func (n *node[T]) all(yield func(T) bool) bool {
	return n == nil || n.left.all(yield) && yield(n.value) && n.right.all(yield)
}

func (n *node[T]) insert(value T, compare func(a, b T) int) *node[T] {
	switch {
	case n == nil:
		return join(nil, value, nil)
	case compare(value, n.value) < 0:
		return join(n.left.insert(value, compare), n.value, n.right)
	default:
		return join(n.left, n.value, n.right.insert(value, compare))
	}
}

func (n *node[T]) remove(value T, compare func(a, b T) int) *node[T] {
	if n == nil {
		return nil
	}
	switch c := compare(value, n.value); {
	case c < 0:
		return join(n.left.remove(value, compare), n.value, n.right)
	case c > 0:
		return join(n.left, n.value, n.right.remove(value, compare))
	case n.left == nil:
		return n.right
	case n.right == nil:
		return n.left
	default:
		next := Tree[T]{n.right}.Least()
		return join(n.left, next, n.right.remove(next, compare))
	}
}

// join makes a node. The heights of left and right may differ by two, as they do after one insert or remove.
func join[T any](left *node[T], value T, right *node[T]) *node[T] {
	switch l, r := left.levels(), right.levels(); {
	case l > r+1 && left.left.levels() >= left.right.levels():
		return join(left.left, left.value, join(left.right, value, right))
	case l > r+1:
		mid := left.right
		return join(join(left.left, left.value, mid.left), mid.value, join(mid.right, value, right))
	case r > l+1 && right.right.levels() >= right.left.levels():
		return join(join(left, value, right.left), right.value, right.right)
	case r > l+1:
		mid := right.left
		return join(join(left, value, mid.left), mid.value, join(mid.right, right.value, right.right))
	default:
		return &node[T]{left: left, right: right, height: max(l, r) + 1, value: value}
	}
}

func (n *node[T]) levels() int8 {
	if n == nil {
		return 0
	}
	return n.height
}
