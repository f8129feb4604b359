// Package mirror converts Endpoints to EndpointSlices and back, and copies slices of another
// cluster, network or Service.
//
// A mirroring controller calls this for each Endpoints and each Service without selector that
// changes:
//
//	func sync(ctx context.Context, s *publish.Syncer, endpoints *corev1.Endpoints, service *corev1.Service) error {
//		o := mirror.Options{ManagedBy: "mirrors.example.com"}
//		plan, err := s.Sync(ctx, mirror.SetOf(endpoints, service, o),
//			func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
//				return mirror.Plan(endpoints, service, existing, o)
//			})
//		if w := plan.Warnings(); len(w) > 0 {
//			log.Print(w) // what is not mirrored, and why; everything else is
//		}
//		return err // publish.ErrWait: call again soon; a *field.Error: a mistake; or a failure
//	}
//
// # What to call
//
//	I want                                         I call
//	mirrors of Endpoints                           Plan
//	to know whether Endpoints are to be mirrored   Eligible
//	Endpoints for a reader that knows no slices    ToEndpoints
//	the slices of a Service in another cluster     PlanCopy
//	one slice copied to one slice, and its name    CopySlice, CopyName
//	a multi-cluster Service of KEP-1645            package mirror/mcs
//	to change what is wanted before the plan       FromEndpoints, FromSlices
//	label values for names that are too long       LabelValue
//
// If Endpoints are gone or no longer eligible, Plan deletes their mirrors, as Kubernetes does. All
// functions are safe for concurrent use.
//
// # From Endpoints to EndpointSlices
//
// Endpoints have been deprecated since Kubernetes 1.33 (KEP-4974).
//
//   - A program that reads Endpoints calls dedup.OnePort instead: see the example OnePort
//     (FromEndpoints) of package dedup.
//   - A program that takes *corev1.Endpoints and cannot be changed gets them from ToEndpoints.
//   - A program that writes Endpoints calls services.PlanBackends instead. Until it does,
//     Kubernetes' mirroring controller makes the slices. If that controller is off, a program that
//     calls Plan makes them.
//   - A program that writes both for a while plans slices with services.PlanBackends. It makes the
//     Endpoints by calling ToEndpoints with plan.After() and with ViewOptions.SkipMirror set: see
//     the example EndpointsAndSlices. It does not call Plan, which would publish the addresses
//     twice.
//   - Delete Endpoints only when another manager writes the slices, because the garbage collector
//     deletes the mirrors together with the Endpoints.
//
// # What Endpoints mean
//
// A subset says that each of its addresses serves each of its ports. In canonical form, an address
// is listed once with all ports on which it is ready, and once with the other ports:
//
//	subsets                            canonical            slices
//	http:80    ready .1 .2             http:80,https:443    .1 ready
//	https:443  ready .1 not ready .2   http:80              .2 ready
//	                                   https:443            .2 not ready
//
// # Promises
//
// Plans keep all promises of package slicer. Mirrors mean the same as the Endpoints, up to a limit
// of addresses for each list of ports. [PROMISES.md] has all promises and differences.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/mirror/PROMISES.md
package mirror
