// Package dedup joins EndpointSlices into one list of unique endpoints for each service port.
//
// # Which reader am I
//
// A Service's endpoints are spread over slices, an endpoint may be in several of them at a time, and slices may disagree about
// it. Every reader has to join them. Readers differ in what they keep:
//
//	I want                                           use
//	the endpoints of one port, now, and keep none    OnePort
//	all Services, and what changes                   Index: View, Delta
//	all of some slices, once                         Merge: View
//	entries of my own type, each key once            Cache
//	which of these endpoints my node may use         Found.Candidate or Endpoint.Candidate, for hints.Route
//	the number that a slice has for a port           ResolvePort
//
// All of them share one decision about who wins where slices disagree (D2), and all name what they set aside: look at
// [Problems.Err] or [View.Err], because a slice without what a reader needs, such as a label, has no endpoints for it.
//
// An endpoint is one address and port number of a service port. Package conditions says what nil conditions mean.
// The package does not watch, list or log: it has no client, no goroutine and no clock.
//
// # The loop
//
// A watch feeds the index. The caller flushes it when it likes, here when no event waits, so that many events cost one
// flush. One goroutine does this; any number of goroutines may read the views.
//
//	func run(events <-chan Event, views *atomic.Pointer[dedup.View], send func(dedup.Changes)) {
//		var ix dedup.Index
//		for e := range events {
//			switch e.Type {
//			case Listed:
//				ix.Replace(e.Slices)
//			case Added, Modified:
//				ix.Upsert(e.Slice)
//			case Deleted: // needs only the name, so that the tombstone of a lost watch will do
//				ix.Delete(e.Namespace, e.Name)
//			}
//			if len(events) > 0 {
//				continue
//			}
//			changes, problems := ix.Flush()
//			if err := problems.Err(); err != nil {
//				log.Print(err) // what was set aside for the first time; the rest is good
//			}
//			view := ix.View()
//			views.Store(&view)
//			send(changes)
//		}
//	}
//
// # Guarantees
//
//   - D1 same as afresh: an index shows what Merge makes of the slices that there are, for every order of events and
//     flushes. OnePort finds the same endpoints, and a Cache shows what a new Cache would. An endpoint leaves when the last
//     slice that holds it lets go, and not before.
//   - D2 winner: where slices disagree about an address and port number, the winner is found in two rounds, described
//     below. The order of arrival never counts.
//   - D3 conflicts: who lost, why, and in which fields, is in [View.Conflicts].
//   - D4 stable: the order of everything is stable, with IPs as numbers and not as text. What only says the same in other
//     words changes nothing, and makes no [Delta].
//   - D5 cost: a flush costs by the slices that changed, not by the Service, because views share the chunks of about a
//     hundred endpoints or ports that did not change. It copies one pointer for each chunk. If k slices have one address, it
//     costs the logarithm of k more: slices that claim an address often, by accident or on purpose, do not slow readers down.
//   - D6 nothing left: nothing is kept of what is gone.
//   - D7 delete by name: a delete needs a namespace and a name, nothing else.
//   - D8 no panic: nothing panics, whatever is nil or empty. What cannot be used is in [View.Problems], with the reason, and
//     the rest stays in force.
//
// Inputs are never changed. After a flush an Index keeps nothing of them except strings; what OnePort returns points to them.
//
// The two rounds of D2. First, of the entries with the same targetRef (its UID, else kind, namespace and name), the one in the
// newest slice wins, because the endpoint moved or changed. Newest is the highest resourceVersion: a slice whose
// resourceVersion is a number is newer than one without, which is ordered by its trigger time, where it has one. So slices of
// several API servers, whose resourceVersions mean nothing to each other, must not meet as they are: a reader who joins them
// removes the resourceVersion from its copies, or keeps a Cache with the cluster in the key. Then the winners, the entries in equally new slices and the entries without a targetRef are compared,
// because an address may be used again by another Pod: not terminating comes first, then ready, then serving, then the slice's
// namespace and name, then the endpoint's own fields. Each round is a total order. A single rule for all pairs would go round
// in circles.
//
// The tests that hold them:
//
//	D1  TestIncrementalIsRebuild  TestOnePortIsMerge  TestCacheIsRebuild
//	D2  TestTotalOrders  TestOnePairwiseRuleIsCyclic (package decide)  TestCacheTwoRounds
//	D3  TestIncrementalIsRebuild  TestScenarios/two-rounds
//	D4  TestNoOpKeepsView  TestWritesInAnyOrder
//	D5  TestFlushCostsBySlice  TestFlushCostsByPort  TestContestedCosts
//	D6  TestTenThousandSlices
//	D7  TestScenarios/deletes-by-name
//	D8  TestNothingPanics
//
// The file [testdata/spec.md] explains numbers such as S29 in tests and scenarios.
//
// [testdata/spec.md]: https://github.com/slicewright/slicewright/blob/main/testdata/spec.md
package dedup
