// Package conformance runs Kubernetes' own EndpointSlice code (k8s.io/endpointslice) and this
// library on the same Services, Pods, Nodes and slices, and compares what they write.
//
// It is a module of its own, so that what the reference requires (client-go, prometheus and some
// forty more) never reaches an importer of the library.
//
//   - [Reference] and [Slicewright] are the two sides: a [Cluster] in, recorded [Write]s out.
//   - [Compare] is the oracle: equal up to the free choices of the reference, which map order
//     decides, and up to the numbered deviations in the package comments of slicer and hints. Each
//     that can matter is a [Deviation] here; a difference without one is an error.
//   - [SyncRuns], [ResyncRuns] and [HintRuns] are what is measured. The command compare prints it
//     as tables, and puts them into README.md and .github/FIGURES.md.
package conformance
