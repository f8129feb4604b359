// Package slicer plans EndpointSlices. From the wanted endpoints and the existing slices it
// computes which slices to create, update and delete, in which order, and why.
//
// Most controllers call package slicer/services, which knows Services, Pods and Nodes, and package
// slicer/publish, which carries plans out. A controller with endpoints of another kind calls
// [Compute] in a Syncer of package publish:
//
//	func sync(ctx context.Context, s *publish.Syncer, in slicer.Input) error {
//		plan, err := s.Sync(ctx, in.Set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
//			return slicer.Compute(in, existing)
//		})
//		if w := plan.Warnings(); len(w) > 0 {
//			log.Print(w) // what is not published, and why; everything else is
//		}
//		return err // publish.ErrWait: call again soon; a *field.Error: a mistake in the call; or a failure
//	}
//
// # What to call
//
//	I want                                     I call
//	a plan for endpoints and existing slices   Compute
//	what needs attention, for a log or Events  Plan.Warnings
//	to know whether to call again later        Plan.Retry
//	the plan as text; values for metrics       Plan.String; Plan.Stats
//	to check a slice that a person wrote       Check
//	the slices whose parent is gone            Orphans
//
// All functions are safe for concurrent use.
//
// # Words
//
//   - A set is all slices that one manager publishes for one parent, usually a Service. See [Set].
//   - A group is all wanted endpoints of one address type with the same ports.
//   - The current slice of an endpoint in a group is the existing slice that already holds the
//     endpoint on the ports of the group.
//   - "Written anyway" means that something in a slice is wrong, for example an endpoint that is no
//     longer wanted, so that the slice must be written even if no endpoint moves. Any other slice
//     is clean.
//   - A slice is reusable if none of its endpoints stays in it. It is deleted, or filled again.
//   - A placeholder is a slice without endpoints, for a type that has none.
//   - A slice is stale if its owner is an earlier object with the kind and name of the parent.
//   - A slice is foreign if it belongs to another set, manager or owner, and is not stale. If it
//     has the labels of the set and another owner, Plan.Skips also has it, with the reason
//     OtherOwner.
//
// # How endpoints find their slices
//
// An endpoint stays in its current slice. If no endpoint wants the ports of a slice any more, the
// slice takes the ports that most of its endpoints want now, and these endpoints stay. All other
// endpoints need a place. As in Kubernetes, they go first into slices that are written anyway, the
// fullest first, then into reusable slices, then into the fullest clean slice that takes all that
// are left, and otherwise into new slices.
//
// # Promises
//
// Inputs are never changed. After a plan, each accepted endpoint is in exactly one slice, and a
// second plan writes nothing. An endpoint that is published and still wanted stays published after
// every step; [Plan].Gaps lists the exceptions. A plan that has nothing to do writes nothing.
// Slices of other managers are neither written nor counted. See [PROMISES.md].
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/slicer/PROMISES.md
package slicer
