// Package mcs has the rules of the Multi-Cluster Services API (KEP-1645). A ServiceExport offers a
// Service of one cluster to other clusters. A ServiceImport stands for this Service in each cluster
// that uses it. [MergeExports] decides the spec of the ServiceImport and which exports conflict.
// [FromSlices] decides which slices a cluster has for it. All functions are pure, and safe for
// concurrent use.
//
// The page [PROMISES.md] has each promise, with the tests that check it.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/mirror/PROMISES.md
package mcs
