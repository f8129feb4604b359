// Package binaries has no code. Its go.mod pins etcd, kube-apiserver and kube-controller-manager as
// tools, in a module of their own, so that neither the tests nor anybody who imports the library
// carries their dependencies. Package apiserver builds them.
//
// The replace lines are those of k8s.io/kubernetes, with v0.X.Y for v1.X.Y. To move to another
// version: change all of them and the two require lines, and run go mod tidy.
package binaries
