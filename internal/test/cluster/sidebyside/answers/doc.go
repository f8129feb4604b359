// Package answers has no code. Its test compares the API server in memory of package slicertest with a real kube-apiserver:
// whatever writers sent to the one in recorded histories is sent to the other, and the answers must be the same.
package answers
