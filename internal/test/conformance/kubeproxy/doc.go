// Package kubeproxy has no code. Its tests hold kube-proxy's own EndpointSlice cache to package
// deduptest, and the controller that mirrors Endpoints to package slicertest.
//
// The replace lines of go.mod are those of k8s.io/kubernetes, with v0.X.Y for v1.X.Y. To move to
// another version: change all of them and the require line, and run go mod tidy.
package kubeproxy
