// Package dedup joins EndpointSlices into one list of unique endpoints for each service port.
//
// # Which reader am I
//
// A Service's endpoints are spread over slices, an endpoint may be in several of them at a time, and slices may disagree about
// it. Every reader has to join them. Readers differ in what they keep:
//
//	I want                                                 I call
//	the endpoints of one port, now, and keep none          OnePort
//	the addresses, whatever the port, and keep none        Addresses
//	all Services of a watch, and what changes              Index: View, Changes
//	all of some slices, once                               Merge: View
//	entries of my own type, each key once                  Cache
//	the addresses of a watch, and what changes             Index with Options.AllPorts
//	which of these endpoints my node may use, what next    hints.Route, hints.Failover with Candidate
//	the number that a slice has for a port                 ResolvePort
//	the services that kube-proxy makes rules for           Options.Service: Proxied, and ProxiedService
//
// The examples are programs for tasks: a speaker of virtual IPs (Addresses), a DNS server, a gRPC resolver, an
// ingress controller, a reverse proxy, an xDS control plane, a proxy such as kube-proxy (Proxied).
//
// All doors share one decision about who wins where slices disagree (D2), and all name what they set aside: look at
// [Problems.Err], because a slice without what a reader needs, such as a label, has no endpoints for it. A slice
// of an address type that was not asked for is passed over, which is no problem.
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
// The handlers of an informer hand their objects to [Index.Handle], tombstones included, under the lock that Flush needs.
//
// # From Endpoints to EndpointSlices
//
// Kubernetes 1.33 deprecates Endpoints. Code that reads them loops over subsets:
//
//	for _, subset := range endpoints.Subsets {
//		for _, p := range subset.Ports {
//			for _, a := range subset.Addresses {
//				if p.Name == "http" {
//					use(a.IP, p.Port)
//				}
//			}
//		}
//	}
//
// The same of EndpointSlices is
//
//	found, problems := dedup.OnePort(slices, dedup.PortOptions{Port: "http"})
//	if err := problems.Err(); err != nil {
//		log.Print(err) // what was set aside, and why; the rest is good
//	}
//	for _, f := range found {
//		if f.State().Ready {
//			use(f.Address, f.Port)
//		}
//	}
//
// An Endpoints has the Service's name. Slices have names of their own: list those of the namespace by the label
// kubernetes.io/service-name, or list all and set PortOptions.Service. What differs:
//
//   - A Service has as many slices as it needs. Handle an event by reading all slices of the Service anew, never that one alone.
//   - NotReadyAddresses are the endpoints whose State is not ready. Endpoints that terminate are there, too; use them if no other
//     is ready, which hints.Route does.
//   - Endpoints has 1000 addresses at most, and one family. Slices have all, and each has the addresses of one family.
//   - An address may be in several slices. OnePort lists it once.
//   - A port may have no number, and a slice no ports. See PortOptions.Else.
//   - Conditions, and a port's name and protocol, may be nil. State and ResolvePort know what that means.
//
// Example (FromEndpoints) is the program. Code that takes a *corev1.Endpoints and cannot move is served by mirror.ToEndpoints.
//
// # Beside kube-proxy
//
// Zero options read what kube-proxy reads: the first address of each endpoint, of IPv4 and IPv6 slices, at ports that have a
// number. kube-proxy takes fewer slices and Services: [Proxied] and [ProxiedService] are its filters. Of the endpoints it routes
// to those that hints.Route returns. Where slices disagree, its choice depends on the order in which it meets them; this package
// takes what D2 says.
//
// Several API servers: an Index, Merge and OnePort are for slices of one. Join the slices of several clusters in a Cache, with
// the cluster in the key, so that no two of their entries meet, and in Source.Slice, because two clusters may have slices of one
// name. Imported slices of multi-cluster Services (KEP-1645) are of the API
// server that has the imports, and are read with ByLabel("multicluster.kubernetes.io/service-name").
//
// # Goroutines and memory
//
// Functions are safe for concurrent use, on the same slices too, because inputs are never changed. A View and a Delta never
// change, and any number of goroutines may read them. One goroutine at a time may use an Index. A Cache may have any number of
// readers while nobody writes.
//
// After a flush an Index keeps nothing of slices except strings. What OnePort and Addresses return points to the slices. A View
// keeps all endpoints of its moment alive: a reader that holds on to a few endpoints copies them out of it.
//
// # Guarantees
//
//   - D1 same as afresh: an index shows what Merge makes of the slices that there are, for every order of events and
//     flushes. OnePort finds the same endpoints, Addresses finds them with ports ignored, and a Cache shows what a new Cache
//     would. An endpoint leaves when the last slice that holds it lets go, and not before.
//   - D2 winner: where slices disagree about an address and port number, the winner is found in two rounds, described
//     below. The order of arrival never counts.
//   - D3 conflicts: who lost, why, and in which fields, is in [View.Conflicts].
//   - D4 stable: the order of everything is stable, with IPs as numbers and not as text. A slice that changes only in spelling
//     or order causes no [Delta].
//   - D5 cost: a flush costs by the slices that changed, not by the Service or the number of Services, because views share the
//     memory of what did not change. If k slices have one address, each flush that is about it costs by k: k slices cost k, not
//     the square of k.
//   - D6 nothing left: an index keeps no memory of deleted slices.
//   - D7 delete by name: a delete needs a namespace and a name, nothing else.
//   - D8 no panic: nothing panics, whatever is nil or empty. What cannot be used is in [View.Problems], with the reason, and
//     the rest stays in force.
//
// The two rounds of D2. First, of the entries with the same targetRef (its UID, else kind, namespace and name), the one in the
// newest slice wins, because the endpoint moved or changed. Newest is the highest resourceVersion: a slice whose
// resourceVersion is a number is newer than one without, which is ordered by its trigger time, where it has one. So slices of
// several API servers, whose resourceVersions mean nothing to each other, must not meet as they are: a reader who joins them
// removes the resourceVersion from its copies, or keeps a Cache with the cluster in the key.
//
// Then the winners, the entries in equally new slices and the entries without a targetRef are compared, because an address may
// be used again by another Pod: not terminating comes first, then ready, then serving, then the slice's namespace and name, then
// the endpoint's own fields. Each round is a total order. A single rule for all pairs would go round in circles.
//
// The tests that hold them:
//
//	D1  TestIncrementalIsRebuild  TestOnePortIsMerge  TestAddressesAreAllPorts  TestCacheIsRebuild
//	D2  TestTotalOrders  TestOnePairwiseRuleIsCyclic (package decide)  TestCacheTwoRounds
//	D3  TestIncrementalIsRebuild  TestScenarios/two-rounds
//	D4  TestNoOpKeepsView  TestWritesInAnyOrder
//	D5  TestFlushCostsBySlice  TestFlushCostsByPort  TestManyClaimsOfOneAddress
//	D6  TestTenThousandSlices
//	D7  TestScenarios/deletes-by-name
//	D8  TestNothingPanics
//
// The file [testdata/spec.md] explains numbers such as S29 in tests and scenarios.
//
// [testdata/spec.md]: https://github.com/slicewright/slicewright/blob/main/testdata/spec.md
package dedup
