// Package dedup joins EndpointSlices into one list of unique endpoints for each service port, whole or as they change.
//
// A Service's endpoints are spread over slices, an endpoint may be in several of them at a time, and slices may disagree
// about it (S29). [Merge] joins a list of slices; [Index] keeps up with events, so that only what changed is worked on
// (S30). Both show a [View], which never changes. An endpoint is one address and port number of a service port; its
// conditions have nil resolved (package conditions), and which of the endpoints a node may use is for package hints to
// say. [ResolvePort] finds a service port in a slice.
//
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
//			deltas, view := ix.Flush(), ix.View()
//			views.Store(&view)
//			send(deltas)
//		}
//	}
//
// # Guarantees
//
//   - D1 An index shows what Merge makes of the slices that there are, for every order of events and flushes. An
//     endpoint leaves when the last slice that holds it lets go, and not before.
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
// Of inputs nothing is changed, and nothing is kept after a flush but strings.
package dedup
