// Package mirror converts Endpoints to EndpointSlices and back, and copies slices of another cluster, network or Service.
//
// A mirroring controller does this for each Endpoints and each Service without selector that changes:
//
//	func sync(ctx context.Context, s *publish.Syncer, endpoints *corev1.Endpoints, service *corev1.Service) error {
//		o := mirror.Options{ManagedBy: "mirrors.example.com"}
//		plan, err := s.Sync(ctx, mirror.SetOf(endpoints, service, o), func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
//			return mirror.Plan(endpoints, service, existing, o)
//		})
//		if w := plan.Warnings(); len(w) > 0 {
//			log.Print(w) // what is not mirrored, and why; everything else is
//		}
//		return err // publish.ErrWait: call again soon; a *field.Error: a mistake; or a failure
//	}
//
// # What to call
//
//	I want                                           I call
//	mirrors of hand-written Endpoints                Plan
//	to know whether Endpoints are to be mirrored     Eligible
//	Endpoints for a reader that knows no slices      ToEndpoints
//	the slices of a Service in another cluster       PlanCopy
//	one slice copied to one slice, and its name      CopySlice, CopyName
//	a multi-cluster Service of KEP-1645              package mirror/mcs
//	to change what is wanted before it is planned    FromEndpoints or FromSlices, then slicer.Compute
//	label values for names that are too long         LabelValue
//
// Endpoints that are not to be mirrored any more, or that are gone, are no error: Plan deletes our mirrors then, as Kubernetes
// does. All functions are safe for concurrent use: inputs are only read.
//
// # From Endpoints to EndpointSlices
//
// Endpoints are deprecated since Kubernetes 1.33 (KEP-4974), and clusters may run without the controllers that write them.
//
//   - Code that reads Endpoints has a loop over subsets, addresses and ports. Package dedup shows the call of OnePort that takes
//     its place: Example (FromEndpoints).
//   - Code that takes *corev1.Endpoints and cannot be changed gets them from the slices by ToEndpoints. They need not be written
//     to an API server.
//   - Code that writes Endpoints of what is not a Pod writes slices instead: services.PlanBackends of package slicer/services. Until
//     then the control plane's mirroring controller makes slices of them, or Plan does where that controller is off.
//   - Who writes both for a while plans the slices with services.PlanBackends and makes the Endpoints of them: ToEndpoints of
//     plan.After() with ViewOptions.SkipMirror, as Example (EndpointsAndSlices) does. mirror.Plan would publish the
//     addresses twice, or with SkipMirror not at all.
//   - Do not delete Endpoints before somebody else writes their slices, because the garbage collector takes their mirrors along.
//     Those with the label endpoints.kubernetes.io/managed-by=endpoint-controller are leftovers where the Endpoints controller is
//     off. Those with the annotation control-plane.alpha.kubernetes.io/leader are the lock of a leader election.
//
// # What Endpoints mean
//
// A subset says that each of its addresses serves each of its ports. How subsets spell that makes no difference. In canonical form
// an address is listed once with all ports on which it is ready, and once with all ports on which it is not:
//
//	subsets                            canonical            slices
//	http:80    ready .1 .2             http:80,https:443    .1 ready
//	https:443  ready .1 not ready .2   http:80              .2 ready
//	                                   https:443            .2 not ready
//
// # Promises
//
// Plan and PlanCopy plan with all promises of package slicer. Besides:
//
//   - Mirrors publish what the Endpoints mean, with explicit conditions, labels and annotations of the Endpoints.
//   - A list of ports gets at most as many addresses as the options allow, ready ones first.
//   - Endpoints that are no longer eligible lose our mirrors; slices of other managers stay.
//   - A view shows what the slices hold, each address once for each port, and says when it was cut.
//   - The view of planned and stored mirrors is what the Endpoints mean.
//   - A copy has what the options keep, nothing that the API server refuses, and nothing of what the copier wrote itself.
//   - The order and the spelling of the input make no difference, and nothing that is given is changed.
//
// The page [PROMISES.md] has each in full, the test that holds it, the function that decides it, and what differs from Kubernetes.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/mirror/PROMISES.md
package mirror
