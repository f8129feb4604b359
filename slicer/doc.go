// Package slicer plans EndpointSlices: from the endpoints that are wanted and the slices that exist it computes which slices
// to create, update and delete, in which order, and why.
//
// Most controllers call [github.com/slicewright/slicewright/slicer/services], which makes the input from a Service with Pods, or with
// anything else that has addresses, and [github.com/slicewright/slicewright/slicer/publish], which carries plans out. Others call
// [Compute], here in a Syncer of that package, when something changes and again after an error:
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
//	Compute                  wanted endpoints and existing slices -> a Plan
//	Plan.Warnings            what somebody should look at, for a log or Events: see Skip
//	Plan.Retry               what will be known later: return it, so that the queue calls again
//	Plan.String, Stats       the plan for people, and for metrics
//	Pointers                 from the values that typed clients list
//
// All functions are safe for concurrent use. Package publish carries plans out: its Syncer plans nothing from a cache that
// has not shown its own writes.
//
// # Words
//
//   - A set is all slices that one manager publishes for one parent, usually a Service, under one Key: see [Set].
//   - A group is the wanted endpoints of one address type and one list of ports. A slice has the endpoints of one group.
//   - The home of an endpoint is the slice in which it stays: the one that holds it already, in its group.
//   - A slice is dirty if it must be written anyway, because something in it is wrong. All other slices are clean.
//   - A slice is idle if no endpoint stays in it. It is deleted, or used again for any group of its address type.
//   - A placeholder is a slice without endpoints and ports. It stands for an address type that has no endpoints.
//   - A slice is stale if its owner is an earlier object of the same kind and name as the parent.
//   - A slice is foreign if it belongs to another set or manager, or if it has the set's labels and its
//     controller is another object of the kind of one of Set.Owners. The latter is also a Skip, with the
//     reason OtherOwner.
//
// # How endpoints find their slices
//
// An endpoint that a slice of its group holds stays there. If nobody wants the ports of a slice any more, the slice takes
// the ports that most of its endpoints now want, and these stay too. All other endpoints have no home. They go into dirty slices
// first, then into idle slices, and then into the fewest other slices: new ones, or clean ones where those do the same job. A few
// of them, at most one for each hundred that stay, go into as few dirty slices as have room. More fill the fullest dirty slice
// first.
//
// # The order of steps
//
// Creates come first and deletes last. A slice that an endpoint leaves is written after the slice that takes it, so that a
// published endpoint that is still wanted is published after every step. [PROMISES.md] has the rules, and the exceptions.
//
// # Promises
//
//   - Complete: after the plan every accepted endpoint is in exactly one slice of its group, and nothing else is in the set.
//   - Accepted: what the API server would refuse is a Skip, and the rest is published.
//   - Fixed point: planning again on what the API server stored writes nothing.
//   - Fewest writes: no plan that keeps the other promises has fewer writes, except for slices that hints open and while the
//     parent is being deleted.
//   - Sticky: an endpoint stays in the slice that holds it. [Compact] trades this for fewer slices.
//   - No gap: what is published and still wanted is published after every single step, with two exceptions.
//   - Deterministic and pure: the order of the input makes no difference, and nothing that is given is changed.
//   - Ours only: slices of other managers and sets are neither written nor counted.
//   - Metadata: updates keep annotations, finalizers and owners of others, and repair the set's own.
//   - Cost: time is linear in endpoints and slices, except for sorting, for hostile input too.
//   - Crash: an interrupted plan and the next one lose no endpoint that both want. Package publish promises the same for all plans
//     of one writer, and lists the exceptions.
//   - Placeholder: an address type without endpoints keeps one empty slice, or none, as the options say.
//   - Upgrade: a plan on the slices of an earlier release creates and deletes nothing and moves no endpoint.
//
// The page [PROMISES.md] has each in full, the test that holds it, the function that decides it, and what differs from Kubernetes.
//
// # Metrics
//
// [Plan.Stats] has what the metrics of Kubernetes' controller, all named endpoint_slice_controller_*, are made of:
//
//	endpoints_added_per_sync         Stats.Added
//	endpoints_removed_per_sync       Stats.Removed
//	changes{operation}               Stats.Creates, Stats.Updates, Stats.Deletes
//	endpointslices_changed_per_sync  their sum; the label topology is the On of Plan.Hints
//	syncs{result}                    the errors of publish.Syncer
//	num_endpoint_slices              Slices of Stats.IPv4, IPv6 and FQDN, summed up over all Services
//	desired_endpoint_slices          Fewest, likewise
//	endpoints_desired                Endpoints, likewise
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/slicer/PROMISES.md
package slicer
