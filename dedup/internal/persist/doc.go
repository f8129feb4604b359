// Package persist has an immutable list in order. A new version shares most of its memory with the one that it was made from, so
// that readers keep theirs without a lock. It knows no Kubernetes: whoever has elements compares them.
package persist
