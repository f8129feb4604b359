// Package publish brings EndpointSlices up to date: it reads them from the caller's cache, plans, and writes, and it
// recovers from late caches, lost answers and other writers. Package services says which endpoints are wanted, and
// package slicer which writes they need.
//
// A controller makes one [Syncer] with [New], and calls it when anything that it reads changes, and again after an
// error:
//
//	func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
//		plan, err := s.Pods(ctx, svc, pods, services.NodesByName(nodes))
//		if warnings := plan.Warnings(); len(warnings) > 0 {
//			log.Print(warnings) // what is not published, and why; everything else is published
//		}
//		if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
//			log.Print(err) // the Service is wrong, and only a change of it helps
//			return nil
//		}
//		return err // ErrWait: call again soon; any other error: call again with back-off
//	}
//
// # Errors
//
//   - [ErrWait] (errors.Is): it is too early. The cache has not shown the last write yet, or a Node is not known yet; then
//     all else has been published. Call again soon, and do not raise an alarm.
//   - *field.Error (errors.As): a mistake in the object or the options. Call again when it has changed.
//   - Anything else: a read or a write has failed, or Options.Addresses. Call again with back-off.
//
// # Promise
//
// For the only writer of a Service, no write takes away the last copy of an endpoint that is wanted all the while. And
// no failure lasts: once the API server answers and nothing else changes, the slices are right after at most eleven calls.
// Ten of these may wait or fail, and the next one lists the slices live. If a slice has lost the labels that select it, or
// another client has taken a name, one call more is needed for each such slice. The exceptions are:
//
//   - A request that is still under way when the process is killed or another leader takes over. The new process knows nothing
//     of it. It needs a cache that was filled after it started.
//   - A request that is executed after its answer was lost and after the slices were listed live.
//   - A cache whose version is not known, and which is later than the time between two live lists.
//
// In these cases an endpoint may be missing until the next call. Two writers of one Service do not wait for each other, so use leader
// election.
//
// # Rights
//
// The rules of a controller's role are:
//
//   - {apiGroups: [""], resources: [services, pods, nodes], verbs: [get, list, watch]}
//   - {apiGroups: [discovery.k8s.io], resources: [endpointslices],
//     verbs: [get, list, watch, create, update, delete]}
//   - {apiGroups: [""], resources: [services/finalizers], verbs: [update]}
//
// The last rule lets slices block the deletion of their Service. Only clusters with the admission plugin
// OwnerReferencesPermissionEnforcement need it, such as OpenShift. If another object than a Service owns the slices, the rule
// names its finalizers.
package publish
