// Package publish brings EndpointSlices up to date: it reads them from the caller's cache, plans,
// and writes. It recovers from lost answers, other writers, and late caches: caches that do not
// show all writes yet. Package services decides which endpoints are wanted, and package slicer
// which writes they need.
//
// A controller makes one [Syncer] with [New], and calls it when anything that it reads changes, and
// again after an error:
//
//	func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
//		plan, err := s.Pods(ctx, svc, pods, services.NodesByName(nodes))
//		if warnings := plan.Warnings(); len(warnings) > 0 {
//			log.Print(warnings) // what is not published, and why; everything else is published
//		}
//		if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
//			log.Print(err) // a mistake in the Service or the options: only a change of them helps
//			return nil
//		}
//		return err // ErrWait: call again soon; any other error: call again with back-off
//	}
//
// [Syncer.Pods] is for Services with a selector, [Syncer.Backends] for endpoints that are not Pods,
// [Syncer.Selection] for another object than a Service, [Syncer.Remove] for a Service that is not
// published any more, and [Syncer.Sync] for any other plan. [ClientSlices] connects a Syncer to
// client-go. [Apply] only writes a plan, for callers that do the rest themselves.
//
// # Errors
//
//   - [ErrWait] (errors.Is): the call came too early. The cache has not shown the last write yet.
//     Or a Node is not known yet, and all else has been published. Call again soon, without an
//     alarm.
//   - *field.Error (errors.As): a mistake in the object or the options. Call again when it changes.
//   - Anything else: a read, a write, or Options.Addresses has failed. Call again with back-off.
//
// # Promise
//
// If a Service has one writer, no write removes the last copy of an endpoint while the endpoint is
// wanted, except in the cases below. Every failure is repaired: once the API server answers and
// nothing else changes, the slices are right after at most eleven calls. Ten may wait or fail, and
// the eleventh lists the slices from the API server. One more call is needed for each slice that
// has lost the labels by which it is listed, and for each name of a new slice that another client
// has taken. In three cases an endpoint may be missing until the next call:
//
//   - A request is still under way when the process is killed or another leader takes over. The new
//     process does not know about the request. It needs a cache that was filled after it started.
//   - The Syncer got no answer to a request and listed the slices from the API server, and the API
//     server executes the request only after that.
//   - The version of the cache is not known (Slices.UpTo), and Slices.List is called twice before
//     the cache shows a write. The Syncer calls Slices.List after ten syncs in a row that wait or
//     fail.
//
// Use leader election, because two writers do not wait for each other.
//
// # Rights in the role of a controller
//
//	rules:
//	- {apiGroups: [""], resources: [services, pods, nodes], verbs: [get, list, watch]}
//	- {apiGroups: [discovery.k8s.io], resources: [endpointslices],
//	  verbs: [get, list, watch, create, update, delete]}
//	- {apiGroups: [""], resources: [services/finalizers], verbs: [update]}
//
// The last rule allows blockOwnerDeletion: a foreground deletion of the Service waits for its
// slices. It is needed only with the admission plugin OwnerReferencesPermissionEnforcement, as on
// OpenShift. If another object owns the slices, the rule names the finalizers of that object.
package publish
