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
// An endpoint is one address and port number of a service port. Its conditions have nil resolved (package conditions).
// The package does not watch, list or log: it has no client, no goroutine and no clock.
//
// # The loop
//
// The index is fed by a watch and flushed when the caller likes, here when nothing waits, so that many events cost one
// flush. One goroutine does this; any number may read the views.
//
//	func run(events <-chan Event, views *atomic.Pointer[dedup.View], send func([]dedup.Delta)) {
//		var ix dedup.Index
//		for e := range events {
//			switch e.Type {
//			case Listed:
//				ix.Replace(e.Slices)
//			case Added, Modified:
//				ix.Upsert(e.Slice)
//			case Deleted: // needs no object: what is left of one after a lost watch will do
//				ix.Delete(e.Namespace, e.Name)
//			}
//			if len(events) > 0 {
//				continue
//			}
//			deltas, problems := ix.Flush()
//			if err := problems.Err(); err != nil {
//				log.Print(err) // what was set aside for the first time; the rest is good
//			}
//			view := ix.View()
//			views.Store(&view)
//			send(deltas)
//		}
//	}
//
// # Guarantees
//
//   - D1 An index shows what Merge makes of the slices that there are, for every order of events and flushes; OnePort finds
//     the same endpoints, and a Cache shows what a new one would. An endpoint leaves when the last slice that holds it
//     lets go, and not before.
//   - D2 Where slices disagree about an address and port number, the winner is found in two rounds. First, among entries
//     with the same targetRef (its UID, else kind, namespace and name), the newest slice wins ([Freshness]; by default
//     the one with the highest resourceVersion): the endpoint moved or changed. Then, among these winners, those in
//     equally new slices and entries without a targetRef, for the address may be used again: not terminating, then ready,
//     then serving, then the slice's namespace and name, then the endpoint's own fields. Each round is a total order; the order of arrival never counts. A single rule for
//     all pairs would go round in circles.
//   - D3 Who lost, why, and in which fields, is in [View.Conflicts].
//   - D4 The order of everything is stable: IPs as numbers, not as text. What only says the same in other words changes
//     nothing, and makes no [Delta].
//   - D5 A flush costs by the slices that changed, not by the Service: views share the chunks of about a hundred
//     endpoints that did not change. (It copies one pointer for each chunk.) Where k slices have one address, it costs the
//     logarithm of k more: whoever may create slices cannot slow readers down by claiming an address often.
//   - D6 Nothing is left of what is gone.
//   - D7 A delete needs a namespace and a name, nothing else.
//   - D8 Nothing panics, whatever is nil or empty. What cannot be used is in [View.Problems], with the reason, and the
//     rest stays in force.
//
// Inputs are never changed. After a flush an Index keeps nothing of them except strings; what OnePort returns points to them.
package dedup
