// Package slicer plans EndpointSlices: wanted endpoints and existing slices in; creates, updates and deletes out.
//
// It decides and does no more: no client, no clock, no log, no state. [Compute] is its one verb; package
// [github.com/slicewright/slicewright/slicer/service] derives its input from a Service with Pods or with anything else that
// has addresses. The caller applies the steps of the [Plan] in order, stops at the first that fails, and plans again.
//
// # Guarantees
//
//   - G1 complete: after the plan every accepted endpoint is in exactly one slice of its address type and ports.
//   - G2 accepted: nothing is written that the API server refuses, and nothing that it accepts is set aside, but for
//     differing duplicates of one identity, ports outside 1 to 65535 and zone hints without a name.
//   - G3 fixed point: planning again on what the API server stored writes nothing.
//   - G4 fewest writes: no plan that keeps the other guarantees has fewer, and of those none leaves fewer slices.
//   - G5 sticky: an endpoint stays in the slice that holds it; of several, in the one written last. [Compact] replaces G4
//     and G5: see there.
//   - G6 no gap: an endpoint that a slice holds on ports on which it is wanted is on these ports after every step. The
//     section about the order of steps has the rest.
//   - G7 deterministic: the order of the input never counts.
//   - G8 pure: the input is not changed, and new objects share no memory with anything.
//   - G9 ours and not ours: slices of other managers and sets are neither written nor counted; those of an earlier owner
//     of the same name are replaced; those being deleted are left alone.
//   - G10 metadata: updates keep what others put on a slice, and repair what is the set's. The trigger time is written on
//     slices that are written anyway: the earliest change that is news in each of them (see [Set]).
//   - G11 cost: time is linear in endpoints and slices, sorting apart. Where slices lose their port set, an endpoint
//     counts once for each pair of such a slice that holds it and a port set that wants it.
//   - G12 crash: cut off anywhere and repeated from a late or mixed view, plans never take away what all of them want.
//   - G13 placeholder: an address type without endpoints keeps one empty slice, or none, as the options say.
//
// # How endpoints find their slices
//
// An endpoint that some slice of its ports holds stays there. A slice whose ports nobody wants any more takes those that
// most of its endpoints now want, and they stay too. What has no home goes first into slices that are written anyway,
// then into slices in which nothing stays, then into the fewest others: whole new slices, or the fullest clean ones that
// do the same job. The package comment of slicer/internal/packing has pictures.
//
// A slice may hold more than the maximum, because the maximum was lowered. It keeps its surplus until it is written for
// another reason, or with SplitOversize at once; then the surplus, the last endpoints in canonical order, finds another
// place.
//
// # While the parent is being deleted
//
// With Set.Terminating nothing is created, and no endpoint leaves its home: a slice above the maximum keeps its surplus
// even when it is written, and neither SplitOversize nor hints split it. As many of the other endpoints as possible find
// room in slices that exist, and the rest is in Plan.Unplaced. What is published on ports that are wanted goes missing
// only with the slices of a stale owner, because these are deleted and nothing is created in their place.
//
// Where several port sets compete for slices in which no endpoint stays, the number of writes may exceed the least by one
// for each port set.
//
// # The order of steps
//
// Creates come first and deletes last. Updates are sorted by name, except that a slice may wait for others. There are
// three rules. Where they contradict each other, the earlier one wins:
//
//  1. A slice that an endpoint leaves waits for the slice that takes it, even if that one holds a copy already.
//  2. An endpoint none of whose old ports are wanted is on old or new ports after every step: a slice that holds it waits
//     for one that takes it. There is one exception. If slices wait for each other in a cycle by rules 1 and 2, rule 2 does
//     not hold between them, and they follow each other directly. Where there is a choice of slices, the first by name that
//     make no cycle are chosen.
//  3. A copy of an endpoint is good if it has the wanted addresses and, where the endpoint is wanted ready, is ready. A
//     slice that gives up a good copy waits for the slice that will hold the endpoint, if that one has no good copy of its
//     own. A wait that would close a cycle with those of rules 1 and 2 is dropped. Of a cycle that waits of rule 3 make
//     alone, the wait of the slice whose name is last is dropped.
//
// So a published endpoint can still go missing in two cases. One is a cycle: two slices swap endpoints of two port sets,
// say, and whichever is written first, one endpoint is on no ports until the other is written. The other is
// Set.Terminating, where nothing is created: an endpoint that only a slice of an earlier owner holds, or only slices with
// ports that nobody wants, may find no room in the slices that stay. It is then in Plan.Unplaced.
//
// # Reports
//
// [Plan.String] prints a plan for people, [Plan.Summary] is one line of it, and a Plan given to log/slog logs its counts.
// [Plan.Stats] has what the metrics of Kubernetes' controller, all named endpoint_slice_controller_*, are made of:
//
//	endpoints_added_per_sync         Stats.Added
//	endpoints_removed_per_sync       Stats.Removed
//	changes{operation}               Stats.Creates, Stats.Updates, Stats.Deletes
//	endpointslices_changed_per_sync  their sum; the label topology is the On of Plan.Hints
//	syncs{result}                    the errors of Compute and Apply
//	num_endpoint_slices              Slices of Stats.IPv4, IPv6 and FQDN, summed up over all Services
//	desired_endpoint_slices          Fewest, likewise
//	endpoints_desired                Endpoints, likewise
//
// # Deviations from Kubernetes 1.37
//
// The zero Options do what k8s.io/endpointslice does, but for these:
//
//  1. A changed port set moves nobody to another slice; the reference deals the endpoints anew.
//  2. Which slice is filled, re-used or written depends on the slices' fill and names alone, never on map order.
//  3. The targetRef's kind is part of an endpoint's identity, and the order of its addresses but for the first is not.
//  4. Port lists and conditions are compared after the API server's defaults: nil protocol is TCP, nil ready is true.
//  5. Several clean slices are filled where that replaces as many creates.
//  6. Steps are ordered so that nothing published goes missing in between, and deletes carry preconditions.
//  7. A slice that is re-used keeps its annotations, finalizers, foreign owners and resourceVersion.
//  8. Reserved labels (managed-by, service-name, headless) are repaired where they are wrong.
//  9. An endpoint that the API server would refuse is set aside; the reference loses its whole slice.
//  10. Of wanted endpoints with one identity the ready one stays, whatever their order.
//  11. A slice above the maximum comes down to it when it is written; the reference leaves it above.
//  12. A slice that is being deleted is left alone, and one of an earlier owner is replaced, the placeholder included.
//  13. Slices with ports but no endpoints are removed or re-used; the reference may leave them for ever.
//  14. Hints of endpoints that are not ready are removed, and carried over on endpoints that stay.
//  15. A Pod with status.podIP and no podIPs is published; the reference leaves it out without a word.
//  16. A slice that lost its owner reference, or part of it, gets it back; the reference replaces the slice.
//  17. While the parent is being deleted all slices are filled; the reference fills at most one for each port set.
//  18. Names of new slices are stable, as web-x7k2q-ipv4 and web-x7k2q-ipv4-2: prefix, a hash of ManagedBy and Key, address
//     type and the lowest free number. A second create from a stale cache fails, where the reference makes the slice
//     twice. Options.GeneratedNames does what the reference does. Slices with other names are kept.
//  19. Addresses are written in their canonical spelling, so that one address is never published twice; the reference
//     writes them as they are spelt. (TestScenarios/spellings)
//  20. A Service with two ports of one name is an error before anything is written, because the API server refuses a slice
//     with both; the reference tries to write that slice again and again. (TestInputRefusesPorts of service)
//  21. A Service whose clusterIP is "" counts as headless everywhere, because it has no cluster IP either; the reference
//     asks for None where a Service has no ports.
//  22. The trigger time is decided for each slice, from what the slices held before; the reference remembers the Pods of
//     the last sync and writes one time on all slices. So it differs after a restart, where slices were deleted by others,
//     where a Pod became selected or publishable long after it was ready, and where a Pod was unready and ready again
//     between two syncs, for which nothing is written. (TestTriggerTime of service)
package slicer
