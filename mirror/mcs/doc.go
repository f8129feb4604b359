// Package mcs merges what several clusters export of a Service, and publishes it in each cluster
// that imports it: the exports and imports of the Multi-Cluster Services API (KEP-1645). It may
// still change; package mirror is stable.
//
// # What to call
//
//	I have                                           I call
//	the exports of a Service, for its ServiceImport  MergeExports
//	the slices of the Service in one cluster         PlanImport
//
// In a controller, give Import.Set and PlanImport to the function Sync of a publish.Syncer, for
// each cluster that exports the Service. The example program importer does so.
//
// # Promises
//
// PlanImport plans with all promises of package slicer, and copies as mirror.PlanCopy does.
// Besides:
//
//   - The slices of an import are of one cluster, of the ports that the cluster serves, and of the
//     families of the ServiceImport.
//   - The order of exports makes no difference. What differs between exports, and loses, is a
//     Conflict.
//   - Nothing that is given is changed.
//
// The page [PROMISES.md] has each in full, with the test that holds it and the function that
// decides it.
//
// All functions are safe for concurrent use: inputs are only read.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/mirror/mcs/PROMISES.md
package mcs
