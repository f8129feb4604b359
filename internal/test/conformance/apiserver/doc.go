// Package apiserver runs a real kube-apiserver with its etcd on loopback, for tests and
// measurements, and on demand a kube-controller-manager.
//
// The three programs are built from their Go modules, which the module in ../binaries pins, and
// kept in the user's cache directory; see [Binary]. Tests of several packages would each build
// them, so first run
//
//	go run ./apiserver/prepare
//
// Nothing collects garbage and nobody writes EndpointSlices, except the tests and a
// controller-manager that they start.
//
// Everything listens on 127.0.0.1 only. On Linux the programs end with the process that started
// them, however it ends; their files stay in the temporary directory unless the server was closed.
package apiserver
