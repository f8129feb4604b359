// Package services says which endpoints a Service wants: from its Pods as Kubernetes does, from
// other workloads, or from Pods that another object selects. The results are Inputs of package
// slicer, whose package comment lists the reasons. The functions are pure.
//
// Wait until all caches are filled before the first call. Without Pods, a plan removes all
// endpoints.
//
// # Events
//
// Collect events for some tenths of a second before a sync: one sync for many Pods writes each
// slice once. PodChanged and the other functions that end in Changed report which events need a
// sync.
//
// # Cordoned Nodes
//
// Pods on a cordoned Node are published like others, as in Kubernetes. To take traffic away before
// the Node is drained, change the conditions in Input.Groups: terminating and serving true, ready
// false. Readers then use these endpoints only if no other endpoint is ready. Do not leave out the
// Pods: if all of a Service are on cordoned Nodes, it would have no endpoints.
//
// [MIGRATING.md] says how a Service moves between managers without missing endpoints, how writers
// share the work by shards, and what the first plan changes in slices that another controller
// wrote.
//
// [MIGRATING.md]: https://github.com/slicewright/slicewright/blob/main/slicer/services/MIGRATING.md
package services
