// Package persist has immutable collections in order. A new version shares most of its memory with the one that it was made
// from, so that readers keep theirs without a lock. It knows no Kubernetes: whoever has a value compares it.
//
//   - [Sorted] is a list in chunks, edited by an [Editor] in one pass: for many elements, and edits that come in order.
//   - [Tree] is a balanced tree, edited element by element: for few elements, of which often only the first is read.
package persist
