// Package mirror converts Endpoints to EndpointSlices and back, and slices to slices: those of another cluster, network or
// Service.
//
// It converts and does no more. [FromEndpoints] and [FromSlices] make an input for package slicer, which plans what to
// write, so that all of slicer's guarantees hold; [ToEndpoints] shows slices as Endpoints. There is no client, clock, log
// or state. A mirroring controller is this, for each Endpoints and each Service without selector that changes:
//
//	in, report, err := mirror.FromEndpoints(endpoints, service, mirror.Options{ManagedBy: "mirrors.example.com"})
//	if err != nil {
//		return err
//	}
//	tell(report) // what cannot be mirrored
//	in.Existing = list() // of the namespace, of every manager
//	plan, err := slicer.Compute(in)
//	if err != nil {
//		return err
//	}
//	return apply(plan.Steps)
//
// # What Endpoints mean
//
// A subset says that each of its addresses serves each of its ports. What counts is which address serves which ports and
// is ready for that, not how subsets spell it. This package knows one canonical form: an address is listed once with all
// ports on which it is ready, and once with all on which it is not.
//
//	subsets                            canonical            slices
//	http:80    ready .1 .2             http:80,https:443    .1 ready
//	https:443  ready .1 not ready .2   http:80              .2 ready
//	                                   https:443            .2 not ready
//
// Both ways go through this form. It is also how the EndpointSlice controller groups Pods: by the ports they have.
//
// # Promises
//
//   - M1 meaning: mirrors publish what the Endpoints mean, no more and no less, with explicit conditions; what cannot be
//     published is in the Report, with its place in the input.
//   - M2 metadata: labels and annotations are those of the Endpoints, exactly, but for reserved and volatile ones; the
//     Endpoints own their mirrors.
//   - M3 limits: no list of ports gets more addresses than the options allow; ready ones first, then low ones. No slice
//     holds more than 1000 endpoints.
//   - M4 deterministic: order and spelling of the input do not count.
//   - M5 pure: the input is not changed, and a view shares no memory with it.
//   - M6 ours only: Endpoints that turn ineligible lose our mirrors, and nobody else's slices.
//   - M7 view: a view shows what the slices hold, once, in canonical form, and says when it was cut.
//   - M8 round trip: the view of planned and stored mirrors is what the Endpoints mean.
//   - M9 copies: a copy has what the options say of each endpoint, and nothing of our own output.
//
// # Deviations from Kubernetes 1.37
//
// The zero Options mirror as k8s.io/kubernetes/pkg/controller/endpointslicemirroring does, but for these:
//
//  1. An address stays in its slice, and one that comes or goes is all that changes; the reference deals all of them
//     anew, in random order.
//  2. An address is grouped by its own ports. The reference groups ports by the addresses that share them, so that one
//     new address may regroup all others.
//  3. Of an address that is ready and not ready on one port the reference keeps "not ready"; here ready wins, as it does
//     wherever else an endpoint is wanted twice.
//  4. Conditions are all three explicit, and not ready is not serving; the reference sets ready alone. Mirrors of the
//     reference that are taken over are written once for that.
//  5. Addresses with the same IP and different hostnames or targetRefs are all mirrored; the reference tells them apart by
//     the UID only.
//  6. Above the limit low addresses are taken; the reference takes any. Addresses in excess may be mirrored, too.
//  7. Ports of one name, which the API server takes in Endpoints and refuses in a slice, are dealt to several slices; the
//     reference fails for ever.
//  8. Ports with equal appProtocols are equal; the reference compares pointers and may list them twice.
//  9. IPs that the API server refuses are left out; the reference loses their whole slice.
//  10. Slices of a headless Service have its label, and no others do, whatever the Endpoints carry.
//  11. Reserved labels on the Endpoints are replaced; the reference rewrites such mirrors at every turn.
//  12. A selector without terms is none.
//
// ToEndpoints shows what k8s.io/kubernetes/pkg/controller/endpoint would, but for these:
//
//  13. Subsets are grouped as above, and sorted by ports; the reference sorts by a hash.
//  14. Ports that Endpoints may not list together get subsets of their own.
//  15. Shares of a cut are integers, and an annotation says so under the same conditions.
package mirror
