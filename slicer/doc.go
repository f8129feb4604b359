// Package slicer plans EndpointSlices: from the endpoints that are wanted and the slices that exist it computes which slices
// to create, update and delete, in which order, and why.
//
// There is no client, cache, clock, log or state, except in [Writes]: the caller reads the slices, calls [Compute], applies the [Plan], and starts
// again when something changes or fails. Most controllers call [github.com/slicewright/slicewright/slicer/service] instead, which
// makes the input from a Service with Pods, or with anything else that has addresses, and use of this package [Plan] and Skips.
//
//	func sync(in slicer.Input, existing []*discoveryv1.EndpointSlice, w slicer.Writer) error {
//		plan, err := slicer.Compute(in, existing)
//		if err != nil {
//			return err // a mistake in the call; the error names the field
//		}
//		if err := plan.Err(); err != nil {
//			log.Print(err) // what is not published, and why; everything else is
//		}
//		return errors.Join(plan.Apply(w), plan.Retry()) // after Conflict, AlreadyExists or any other error: call again
//	}
//
// # What to call
//
//	Compute                  wanted endpoints and existing slices -> a Plan
//	Plan.Apply               carry it out, in order; a *StepError says how far it came
//	ClientWriter             what Apply writes with, from the client of client-go
//	Writes                   plan only from a cache that has shown what was written last
//	Plan.Err                 what is not published and why, for a log or Events: see Skip
//	Plan.Retry               what will be known later: return it, so that the queue calls again
//	Plan.String, Stats       the plan for people and for metrics
//	Pointers                 from the values that typed clients list
//
// All functions are safe for concurrent use, because inputs are only read. Below are the words, how a plan is made, what is
// guaranteed, and where Kubernetes' own controller differs.
//
// # Words
//
//   - A set is all slices that one manager publishes for one parent, usually a Service: see [Set].
//   - A group is the wanted endpoints of one address type and one list of ports. Every slice belongs to one group.
//   - The home of an endpoint is the slice in which it stays: the one that holds it already, in its group.
//   - A slice is dirty if it must be written anyway, because something in it is wrong. All other slices are clean.
//   - A slice is idle if no endpoint stays in it. It is deleted, or used again for any group of its address type.
//   - A placeholder is a slice without endpoints and ports. It stands for an address type that has no endpoints.
//   - A slice is stale if its owner is an earlier object of the same kind and name as the parent.
//   - A slice is foreign if it belongs to another set or manager. If its controller is another object of the kind of one of
//     Set.Owners, it is that object's (OtherOwner) and as good as foreign.
//
// # How endpoints find their slices
//
// An endpoint that a slice of its group holds stays there. If nobody wants the ports of a slice any more, the slice takes
// the ports that most of its endpoints now want, and these endpoints stay too. All other endpoints have no home. They go
// first into dirty slices, as few as possible, then into idle slices, and then into the fewest other slices: new ones, or clean
// ones where those do the same job. Of slices that do the same job the fullest are taken. So many slices are used; in canonical
// order the endpoints then fill the dirty ones, the clean ones, the idle ones, which first take back what they hold, and the new
// ones. The package comments of slicer/internal/packing and slicer/internal/layout have pictures of both.
//
// A slice can hold more endpoints than the maximum, because the maximum was lowered. It keeps its surplus until it is
// written for another reason. With SplitOversize it is written at once. The surplus is the last endpoints in canonical
// order, and it finds another place.
//
// # While the parent is being deleted
//
// With Set.Terminating nothing is created, and no endpoint leaves its home: a slice above the maximum keeps its surplus
// even when it is written, and neither SplitOversize nor hints split it. As many of the other endpoints as possible find
// room in slices that exist, and the rest are Skips. What is published on ports that are wanted goes missing
// only with stale slices, because these are deleted and nothing is created in their place.
//
// If several groups compete for idle slices, the number of writes may exceed the least by one for each group.
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
// So a published endpoint can still go missing in two cases. One is a cycle: for example, two slices swap endpoints of two
// port sets. Whichever slice is written first, one endpoint is on no ports until the other slice is written. The other case
// is Set.Terminating, where nothing is created: an endpoint that only a stale slice holds, or only slices with ports that
// nobody wants, may find no room in the slices that stay. It is then a Skip.
//
// # Reports
//
// [Plan.String] prints a plan for people, and [Plan.Summary] is one line of it, for a log.
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
// # Guarantees
//
//   - G1 complete: after the plan every accepted endpoint is in exactly one slice of its group, and nothing else is in the
//     slices of the set.
//   - G2 accepted: nothing is written that the API server refuses. Nothing that it accepts is set aside, with three
//     exceptions: differing duplicates of one endpoint, ports outside 1 to 65535, and zone hints without a name.
//   - G3 fixed point: planning again on what the API server stored writes nothing.
//   - G4 fewest writes: no plan that keeps the other guarantees has fewer writes, and of the plans with as few none leaves
//     fewer slices.
//   - G5 sticky: an endpoint stays in the slice that holds it. If several slices hold it, it stays in the one with the
//     highest resourceVersion. A slice whose ports nobody wants any more takes ports on which most of its endpoints are
//     wanted; each of these votes for at most the first 16 port sets that want and lack it. [Compact] replaces G4 and G5.
//   - G6 no gap: an endpoint that is published on ports on which it is wanted is published on these ports after every
//     single step. The section about the order of steps states the details.
//   - G7 deterministic: the order of the input makes no difference.
//   - G8 pure: the input is not changed, and new objects share no memory with anything.
//   - G9 ours only: foreign slices are neither written nor counted. Stale slices are replaced. Slices that are being deleted
//     are left alone.
//   - G10 metadata: updates keep what others put on a slice, and repair what belongs to the set. Slices that are written
//     anyway get the trigger time, which is the earliest change that is news in each of them: see [Set].
//   - G11 cost: time is linear in endpoints and slices, except for sorting. It stays so when port sets disappear, because an
//     endpoint has at most 16 votes in each slice then (G5).
//   - G12 crash: if a plan is interrupted and the next one is made from a late cache, an endpoint that both plans want is
//     never missing. For all plans of one writer see [Writes].
//   - G13 placeholder: an address type without endpoints keeps one empty slice, or none, as the options say.
//   - G14 upgrade: a plan on the slices that an earlier release left creates and deletes nothing, moves no endpoint and changes
//     no name. What it updates once is in the CHANGELOG, and a second plan writes nothing.
//
// The tests that hold them. TestGuarantees draws worlds with every option and checks all guarantees of each plan:
//
//	G1   TestGuarantees  TestHostile
//	G2   TestGuarantees  TestScenarios/rejects  TestStrict
//	G3   TestGuarantees  TestMachine
//	G4   TestGuarantees  TestPlaceSmall  TestCompactLarger
//	G5   TestGuarantees  TestScenarios/target-port-changed
//	G6   TestGuarantees  TestOrderAgainstPermutations
//	G7   TestGuarantees  TestEmptyTextsHaveAnOrder
//	G8   TestGuarantees  TestPlanMemory
//	G9   TestGuarantees  TestScenarios/foreign  TestScenarios/stale-owner
//	G10  TestGuarantees  TestScenarios/labels  TestScenarios/trigger-times
//	G11  TestReassignIsBounded  package hints/internal/allocate
//	G12  TestMachine  TestDeleteOfWhatChanged  package internal/test/model
//	G13  TestGuarantees  TestScenarios/placeholder
//	G14  package internal/test/upgrade
//
// # Deviations from Kubernetes 1.37
//
// The zero Options do what k8s.io/endpointslice does, except for the following. Each line names the test that shows it.
//
//  1. A changed port set moves no endpoint to another slice, because readers pay for each endpoint that moves; Kubernetes
//     deals the endpoints anew. (TestScenarios/target-port-changed)
//  2. Which slice is filled, re-used or written depends on the slices' fill and names alone, so that two runs plan the same;
//     in Kubernetes the order of its maps decides. (TestScenarios/best-fit)
//  3. The targetRef's kind is part of an endpoint's identity, and which address comes first is content, because readers use
//     the first alone; Kubernetes looks at neither. (TestScenarios/identity-by-uid,
//     TestScenarios/several-addresses)
//  4. Ports and conditions are compared after the API server's defaults, nil protocol as TCP and nil ready as true, so that
//     nothing is written in vain; to Kubernetes nil and the default differ. (TestScenarios/api-defaults,
//     TestScenarios/nil-conditions)
//  5. Of slices that are written anyway as few as possible get new endpoints, which change together later, so that fewer
//     bytes are sent; Kubernetes fills the fullest first, each as full as possible. Several clean slices are filled where
//     that replaces as many creates, so that fewer slices are left; Kubernetes fills one at most.
//     (TestScenarios/written-slices-fill-first)
//  6. Steps are ordered so that nothing published goes missing in between, and deletes carry preconditions; Kubernetes
//     orders creates, updates and deletes only. (TestOrderAgainstPermutations, TestDeleteOfWhatChanged)
//  7. A slice that is re-used keeps its annotations, finalizers, foreign owners and resourceVersion, because others put them
//     there; Kubernetes overwrites them. (TestScenarios/placeholder)
//  8. Reserved labels (managed-by, service-name, headless) are repaired where they are wrong; Kubernetes overlooks them.
//     (TestScenarios/labels)
//  9. An endpoint that the API server would refuse is set aside, so that the others are published; Kubernetes loses the
//     whole slice. (TestScenarios/rejects)
//  10. Of wanted endpoints with one identity the ready one stays, whatever their order; in Kubernetes the last one stays.
//     (TestScenarios/wanted-twice)
//  11. A slice above the maximum comes down to it when it is written, as the option promises; Kubernetes leaves it above.
//     (TestScenarios/oversize-keep)
//  12. A slice that is being deleted is left alone and a stale one is replaced, the placeholder included, because both are
//     about to go; Kubernetes leaves the former to its caller and keeps a stale placeholder. (TestScenarios/dying,
//     TestScenarios/stale-owner)
//  13. Slices with ports but no endpoints are removed or re-used, because nobody needs them; Kubernetes may leave them for
//     ever. (TestScenarios/empty-slices)
//  14. An endpoint that is not ready has no hints and one that stays keeps its own, so that hints do not change without need;
//     Kubernetes leaves hints of unready endpoints in slices that it does not write, and decides those of written slices
//     anew. (TestScenarios/hints-same-zone, TestScenarios/hints-keep)
//  15. A Pod with status.podIP and no podIPs is published, because both say the same; Kubernetes leaves it out without a
//     word. (package service, TestScenarios/pods)
//  16. A slice that lost its owner reference, or part of it, gets it back by an update; Kubernetes replaces the slice.
//     (TestScenarios/two-owners)
//  17. While the parent is being deleted all slices are filled, so that fewer endpoints are missing; Kubernetes fills at most
//     one for each port set. (TestScenarios/terminating-places-most)
//  18. Names of new slices are stable, as web-x7k2qbn4-ipv4 and web-x7k2qbn4-ipv4-2 (prefix, a hash of ManagedBy and Key,
//     address type, lowest free number), so that a second create from a late cache fails; Kubernetes makes the slice twice,
//     as Options.GeneratedNames does. Slices with other names are kept. (TestScenarios/stale-cache)
//  19. Addresses are written in their canonical spelling, so that one address is never published twice; Kubernetes writes
//     them as they are spelt. (TestScenarios/spellings)
//  20. A Service with two ports of one name is an error before anything is written, because the API server refuses a slice
//     with both; Kubernetes tries to write that slice again and again. (package service, TestScenarios/mistakes-in-ports)
//  21. A Service whose clusterIP is "" counts as headless everywhere, because it has no cluster IP either; Kubernetes asks
//     for None where a Service has no ports. (package service, TestScenarios/set)
//  22. The trigger time is decided for each slice, from what the slices held before, because there is no state; Kubernetes
//     remembers the Pods of the last sync and writes one time on all slices. The two differ after a restart, where others
//     deleted slices, where a Pod became selected or publishable long after it was ready, and where a Pod was unready and
//     ready again between two syncs, for which nothing is written. (package service,
//     TestScenarios/trigger-times)
//
// The file [testdata/spec.md] explains numbers such as S14 in tests and scenarios.
//
// [testdata/spec.md]: https://github.com/slicewright/slicewright/blob/main/testdata/spec.md
package slicer
