// Package conformance runs Kubernetes' own EndpointSlice code (k8s.io/endpointslice) and this
// library on the same Services, Pods, Nodes and slices, and compares what they write.
//
// It is a module of its own, so that what the reference requires never reaches an importer of the
// library. The replace lines of go.mod are those of k8s.io/kubernetes, with v0.X.Y for v1.X.Y. To
// move to another version, change all of them and the require lines, and run go mod tidy.
//
//   - [Reference] and [Slicewright] are the two sides: a [Cluster] in, recorded [Write]s out.
//   - [Compare] returns by which of the known differences the two sides differ. Each is a
//     [Deviation]. Any other difference is an error, except for choices of the reference that
//     depend on the order of a map.
package conformance
