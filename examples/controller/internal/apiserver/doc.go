// Package apiserver runs a real kube-apiserver with its etcd on loopback, for tests. Both are built from their Go
// modules once and kept in the user's cache directory; see [Binaries].
//
// There is no controller-manager: nothing collects garbage, and nobody else writes EndpointSlices but the tests.
package apiserver
