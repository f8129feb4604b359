// Package mirror converts Endpoints to EndpointSlices and back, and copies slices of another cluster, network or Service.
//
// # What to call
//
//	I want                                           I call
//	mirrors of hand-written Endpoints                Plan
//	to know whether Endpoints are to be mirrored     Eligible
//	Endpoints for a reader that knows no slices      ToEndpoints
//	the slices of a Service in another cluster       PlanCopy
//	one slice copied to one slice, and its name      CopySlice, CopyName
//	a multi-cluster Service of KEP-1645              MergeExports for its ports, PlanImport for its slices
//	to change what is wanted before it is planned    FromEndpoints or FromSlices, then slicer.Compute
//	label values for names that are too long         LabelValue
//
// A mirroring controller does this for each Endpoints and each Service without selector that changes:
//
//	plan, err := mirror.Plan(endpoints, service, list(), mirror.Options{ManagedBy: "mirrors.example.com"})
//	if err != nil {
//		return err // a mistake in the call; the error names the field
//	}
//	if err := plan.Err(); err != nil {
//		log.Print(err) // what is not mirrored, and why; everything else is
//	}
//	err = plan.Apply(w)
//	return err // after Conflict, AlreadyExists or any other error: call again
//
// Endpoints that are not to be mirrored any more, or that are gone, are no error: Plan deletes our mirrors then, as Kubernetes
// does. Package slicer/service has an error there, ErrNotManaged, because a Service without selector may belong to somebody else.
//
// Plan, PlanCopy and PlanImport plan with all guarantees of package slicer. There is no client, clock, log or state, and all
// functions are safe for concurrent use: inputs are only read.
//
// # From Endpoints to EndpointSlices
//
// Endpoints are deprecated since Kubernetes 1.33 (KEP-4974), and clusters may run without the controllers that write them.
//
//   - Code that reads Endpoints has a loop over subsets, addresses and ports. The comment of package dedup shows it beside the
//     call of dedup.OnePort that takes its place, and says what differs.
//   - Code that takes *corev1.Endpoints and cannot be changed gets them from the slices by ToEndpoints. They need not be written
//     to an API server. Who writes them sets ViewOptions.SkipMirror where no controller manages the slices.
//   - Code that writes Endpoints of what is not a Pod writes slices instead: service.PlanBackends of package slicer/service. Until
//     then the control plane's mirroring controller makes slices of them, or Plan does where that controller is off.
//   - Who writes both for a while plans the slices with service.PlanBackends and makes the Endpoints of them: ToEndpoints of
//     plan.After() with ViewOptions.SkipMirror. Plan is not for that: without the label the addresses are published twice, and with
//     it Plan removes the slices and says so in a Skip. Example (EndpointsAndSlices) is the program.
//   - Where the Endpoints controller is off, Endpoints with the label endpoints.kubernetes.io/managed-by=endpoint-controller are
//     its leftovers: nobody updates them, and they may be deleted. Do not delete Endpoints without that label before somebody
//     else writes their slices: the garbage collector takes their mirrors along, and with the annotation
//     control-plane.alpha.kubernetes.io/leader they are the lock of a leader election.
//
// # What Endpoints mean
//
// A subset says that each of its addresses serves each of its ports. The package asks which address serves which ports
// and is ready for them; how subsets spell that makes no difference. Therefore it brings Endpoints into one canonical form:
// an address is listed once with all ports on which it is ready, and once with all ports on which it is not.
//
//	subsets                            canonical            slices
//	http:80    ready .1 .2             http:80,https:443    .1 ready
//	https:443  ready .1 not ready .2   http:80              .2 ready
//	                                   https:443            .2 not ready
//
// Both directions use this form. It is also how the EndpointSlice controller groups Pods: by the ports that they have.
//
// # Guarantees
//
//   - M1 meaning: mirrors publish what the Endpoints mean, no more and no less, with explicit conditions. What cannot be
//     published is among the plan's Skips, with its path in the input.
//   - M2 metadata: mirrors have the labels and annotations of the Endpoints, except reserved and volatile ones, and no
//     others. The Endpoints own their mirrors.
//   - M3 limits: a list of ports gets at most as many addresses as the options allow, 1000 by default, first the ready ones, then
//     those with low numbers. No slice holds more than 1000 endpoints.
//   - M4 deterministic: the order and the spelling of the input make no difference.
//   - M5 pure: the input is not changed, and a view shares no memory with it.
//   - M6 ours only: Endpoints that are no longer eligible lose our mirrors and no slice of another manager.
//   - M7 view: a view shows what the slices hold, each address once for each port, in canonical form, and says when it was
//     cut.
//   - M8 round trip: the view of planned and stored mirrors is what the Endpoints mean.
//   - M9 copies: a copy has what the options keep of each endpoint, nothing that the API server would refuse the slice for, and
//     nothing of what the copier wrote itself. The slices of an import are of one cluster.
//
// The tests that hold them; TestRoundTrip also plans on drawn slices and stores the plan:
//
//	M1  TestRoundTrip  TestScenarios/ready-and-not-ready  TestScenarios/bad-addresses
//	M2  TestScenarios/external-database  TestScenarios/labels-and-annotations
//	M3  TestRoundTrip  TestScenarios/over-limit  TestScenarios/thousand
//	M4  TestRoundTrip  TestView
//	M5  TestRoundTrip  TestView  TestCopySlice  TestTransformOwnsItsEndpoint
//	M6  TestRoundTrip  TestScenarios/not-mirrored
//	M7  TestView  TestScenarios/view-truncated
//	M8  TestRoundTrip
//	M9  TestCopies  TestCopySlice  TestScenarios/copy-own-output  TestMCSConformanceSlices
//
// # Deviations from Kubernetes 1.37
//
// Mirrors are as k8s.io/kubernetes/pkg/controller/endpointslicemirroring makes them, except for the following. Each line names
// the test that shows it. Under the name of that controller, KubernetesManager, 2, 3, 4, 6 and 10 do not hold, so that neither
// of the two writes back what the other one wrote (TestScenarios/taken-over;
// internal/test/conformance runs both in turns).
//
//  1. An address stays in its slice when others come and go, because readers pay for each address that moves; Kubernetes
//     deals all addresses anew, in random order. (TestScenarios/sticky)
//  2. An address is grouped by its own ports, so that a new address changes no other; Kubernetes groups ports by the
//     addresses that share them. (TestScenarios/address-in-several-subsets)
//  3. An address that is both ready and not ready on one port is ready, as wherever an endpoint is wanted twice; Kubernetes
//     keeps "not ready". (TestScenarios/ready-and-not-ready)
//  4. All three conditions are explicit and an address that is not ready is not serving, so that no reader has to
//     interpret nil; Kubernetes sets only ready. (TestScenarios/external-database)
//  5. Addresses of one IP are different if their hostnames or the kinds, namespaces or names of their targetRefs differ,
//     as package slicer identifies endpoints; Kubernetes compares only the UID of the targetRef, so that it also holds
//     addresses apart that differ in nothing but the UID. (TestScenarios/same-target)
//  6. Of too many addresses, ready ones are taken first, then those with the lowest numbers, so that the choice does not
//     depend on spelling; Kubernetes takes ready ones first, then goes by the IP as text, where 10.0.0.10 is before
//     10.0.0.9. (TestScenarios/over-limit)
//  7. Two ports of one name, which are valid in Endpoints and invalid in a slice, go to two slices; Kubernetes tries to
//     write the invalid slice again and again. (TestScenarios/one-name-several-ports)
//  8. Ports with equal appProtocols are equal, whichever subset they are in; Kubernetes compares pointers and may take
//     them for two ports. (TestScenarios/app-protocol)
//  9. An IP that the API server refuses is left out alone; Kubernetes loses all addresses of its slice.
//     (TestScenarios/bad-addresses)
//  10. The slices of a headless Service have the label service.kubernetes.io/headless and others do not, because the
//     Service decides that; Kubernetes copies the label from the Endpoints. (TestScenarios/headless)
//  11. Reserved labels of the Endpoints are replaced by our own; Kubernetes finds them changed and writes the mirror in
//     every sync. (TestScenarios/labels-and-annotations)
//  12. A selector without terms counts as no selector, because the API server stores it so. (TestScenarios/eligible)
//  13. The mirrors of Endpoints that were deleted and created again are replaced, new ones first, because the garbage
//     collector is about to delete slices whose owner is gone; Kubernetes updates them in place. Neither way leaves a gap.
//     (TestScenarios/new-endpoints-of-the-name)
//
// ToEndpoints shows what k8s.io/kubernetes/pkg/controller/endpoint would write, except for:
//
//  14. Subsets are in the canonical form above and sorted by ports, and so are the ports of a subset, so that people can
//     compare them; Kubernetes sorts both by a hash. (TestScenarios/view-groups)
//  15. Ports that Endpoints may not list together get subsets of their own, so that the API server accepts the view.
//     (TestScenarios/view-unnamed)
//  16. When a view is cut, the shares of its subsets are rounded up to whole addresses in the order of their ports, so
//     that no floating-point number decides; the annotation about it is set as in Kubernetes.
//     (TestScenarios/view-truncated)
//  17. Without ViewOptions.Service, slices that all lack ports are shown, because a headless Service without ports looks
//     so; Kubernetes reads the Service and leaves a Pod out that has none of its ports, and so does ToEndpoints if it has
//     the Service. (TestScenarios/view-without-ports)
//  18. A view has no annotation endpoints.kubernetes.io/last-change-trigger-time unless ViewOptions.TriggerTime says it;
//     Kubernetes writes the earliest change since its own last sync, which slices do not tell. (TestScenarios/view-of-its-own)
//  19. A view has no label endpoints.kubernetes.io/managed-by; Kubernetes marks with it what it may delete again, and a
//     view belongs to the caller. (TestScenarios/view-of-its-own)
//
// The file [testdata/spec.md] explains numbers such as S26 in tests and scenarios.
//
// [testdata/spec.md]: https://github.com/slicewright/slicewright/blob/main/testdata/spec.md
package mirror
