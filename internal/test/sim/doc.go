// Package sim is an API server for EndpointSlices in memory, and the stale caches that clients see
// it through.
//
// The server does what Kubernetes 1.37 does to a slice: it defaults, refuses, names, versions and
// keeps slices with finalizers until these are gone, and takes
// server-side apply. What differs is listed in internal/test/conformance/sidebyside/answers, which
// sends the same to both. It knows nothing of plans, so that tests of a planner do not depend on
// the planner's own idea of what is valid.
package sim
