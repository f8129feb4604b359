// Package publish brings EndpointSlices up to date in a cluster: it reads them from the caller's
// cache, plans, and writes. It recovers from lost answers, writes of other programs and stale
// caches.
//
// After ErrRetry, call again after 50 to 200 ms. After a *field.Error, change the Input. After any
// other error, call again with back-off. After ten calls in a row that failed or waited, the Syncer
// reads from the API server. At one call a second, a lost answer would delay a Service by ten
// seconds. [PROMISES.md] says after how many calls the slices are right, and when it
// takes longer.
//
// The role of a controller needs these rules. The last one is needed only with the admission plugin
// OwnerReferencesPermissionEnforcement, for example on OpenShift:
//
//	rules:
//	- {apiGroups: [""], resources: [services, pods, nodes], verbs: [get, list, watch]}
//	- {apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [get, list, watch, create, update, delete]}
//	- {apiGroups: [""], resources: [services/finalizers], verbs: [update]}
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/slicer/PROMISES.md
package publish
