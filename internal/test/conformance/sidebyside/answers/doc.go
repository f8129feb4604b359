// Package answers has no code. Its test compares the API server in memory of package slicertest
// with a real kube-apiserver: the same requests are sent to both, and the answers must be the same.
package answers
