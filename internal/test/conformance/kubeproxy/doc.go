// Package kubeproxy has no code. Its tests hold kube-proxy's own trackers of Services and
// EndpointSlices, and Kubernetes' own validation, beside the library.
package kubeproxy
