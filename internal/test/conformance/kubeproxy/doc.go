// Package kubeproxy has only tests. They compare the library with kube-proxy's own trackers of
// Services and EndpointSlices, and with Kubernetes' own validation.
package kubeproxy
