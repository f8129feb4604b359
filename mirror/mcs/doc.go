// Package mcs merges the exports of a Service in several clusters, and plans the slices of the
// Service in each cluster that imports it: the exports and imports of the Multi-Cluster Services
// API (KEP-1645). A ServiceExport offers a Service of one cluster to other clusters. A
// ServiceImport stands for this Service in each cluster that uses it. The project mcs-api
// (sigs.k8s.io/mcs-api) defines both. The package may still change; package mirror is stable.
//
// # What to call
//
//	I have                                           I call
//	the exports of a Service, for its ServiceImport  MergeExports
//	the slices of the Service in one cluster         PlanImport
//
// In a controller, give Import.Set and PlanImport to the function Sync of a publish.Syncer, for
// each cluster that exports the Service.
//
// # Promises
//
// PlanImport plans with all promises of package slicer, and copies as mirror.PlanCopy does.
// Besides:
//
//   - The slices of an import have the endpoints of one cluster, the ports that this cluster
//     serves, and the families of the ServiceImport.
//   - The order of exports makes no difference. An export that differs from the merged result is a
//     Conflict.
//   - The arguments are not changed.
//
// The page [PROMISES.md] has each promise in full, with the tests that check it and the functions
// that implement it.
//
// All functions are safe for concurrent use: inputs are only read.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/mirror/mcs/PROMISES.md
package mcs
