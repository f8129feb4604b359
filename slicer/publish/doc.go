// Package publish brings EndpointSlices up to date in a cluster: it reads them from the caller's
// cache, plans, and writes, and recovers from lost answers, other writers and late caches.
//
// After ten calls in a row that failed or waited, the Syncer reads the API server. Call again after
// 50 to 200 ms for an ErrRetry: ten calls at intervals of a second would delay a Service by ten
// seconds after a single lost answer. After any other error call again with back-off. [PROMISES.md]
// says after how many calls the slices are right, and when it takes longer.
//
// The role of a controller needs these rules, the last one only with the admission plugin
// OwnerReferencesPermissionEnforcement, as on OpenShift:
//
//	rules:
//	- {apiGroups: [""], resources: [services, pods, nodes], verbs: [get, list, watch]}
//	- {apiGroups: [discovery.k8s.io], resources: [endpointslices], verbs: [get, list, watch, create, update, delete]}
//	- {apiGroups: [""], resources: [services/finalizers], verbs: [update]}
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/slicer/PROMISES.md
package publish
