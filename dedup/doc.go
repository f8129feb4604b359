// Package dedup joins EndpointSlices into one list of unique endpoints for each service port.
//
// A Service's endpoints are spread over slices. An endpoint may be in several slices at a time, and slices may disagree about it.
// A reader that wants the endpoints of one port now:
//
//	found, problems := dedup.OnePort(slices, dedup.PortOptions{Service: name, Port: "http"})
//	if len(problems) > 0 {
//		log.Print(problems) // what was set aside, and why; the rest is good
//	}
//	for _, f := range found {
//		if f.State().Ready {
//			use(net.JoinHostPort(f.Address, strconv.Itoa(int(f.Port))))
//		}
//	}
//
// # What to call
//
//	I keep                    I want                              I call
//	nothing                   what kube-proxy makes rules for     OfService
//	                          the same for a gateway              ForGateway
//	                          the endpoints of one port           OnePort
//	                          the addresses, whatever the port    Addresses
//	                          each Pod by itself, such as names   Targets
//	                          all Services and ports              Merge
//	slices of a watch         all of it, and what changes         Index
//	                          what kube-proxy makes rules for     Index with Proxied, and View.OfService
//	                          the addresses, and what changes     Index with Options.AllPorts
//	entries of my own type    each key once, such as Pods' names  Cache
//
// Beside them:
//
//	which endpoints my node uses, and which come next             routing.Route, routing.Failover
//	the number that a slice has for a port                        ResolvePort
//	why an endpoint of a Service gets no traffic                  Served.Unused
//	the slices that kube-proxy takes                              Proxied
//	slices that another label files, such as imports              ByLabel
//	the events of an informer, tombstones included                Index.Handle
//	a Pod once, with all its addresses and ports                  View.ByTarget
//	the slices of a list as pointers                              Pointers
//	where slices disagree, and why the others lost                View.Conflicts
//	what was skipped, and why                                     Problems
//
// Who sends to proxies flushes an Index once for each push, not for each event. The examples are programs for tasks: a reader of a
// watch, a DNS server, a proxy such as kube-proxy, a reader of Endpoints that moves to slices.
//
// # Words
//
// A service port is a Service, the name of a port and its protocol. An endpoint is one address and port number behind a service
// port. Its target is what its targetRef names, often a Pod. A [Problem] is something of a slice that was set aside. A slice of an
// address type that was not asked for is none. Package conditions says what nil conditions mean.
//
// Newest is the slice with the highest resourceVersion. A slice whose resourceVersion is a number is newer than one without;
// the others are ordered by their trigger time, an annotation.
//
// # Who wins
//
// All functions share one decision about an address and port number that several slices have:
//
//  1. Of the entries with one target (its UID, else kind, namespace and name) the one in the newest slice wins, because the
//     endpoint moved or changed.
//  2. The winners, the entries in equally new slices and those without a target are compared, because an address may be used
//     again: not terminating comes first, then ready, then serving, then the slice's namespace and name, then the endpoint's
//     own fields.
//
// # Promises
//
//   - An index shows what Merge makes of the slices that there are, for every order of events and flushes.
//   - The two rounds above choose the winner; the order of arrival never counts.
//   - View.Conflicts says who lost, why, and in which fields.
//   - The order of everything is stable, and a slice that changes only in spelling or order causes no change.
//   - A flush costs by the slices that changed.
//   - An index keeps no memory of deleted slices.
//   - A delete needs a namespace and a name, nothing else.
//   - Nothing panics, and what cannot be used is a problem, with the reason.
//   - What is found for one Service is of that Service alone.
//
// The page [PROMISES.md] has each in full, the test that holds it, the function that decides it, and what differs from kube-proxy.
//
// # Limits
//
// Functions are safe for concurrent use, on the same slices too, because inputs are never changed. A View and a Delta never change.
// One goroutine at a time may use an Index. A Cache may have any number of readers while nobody writes.
//
// What OnePort and Addresses return points to the slices. An Index keeps nothing of slices except strings.
//
// A reader whose cache shows slices out of their order may miss an endpoint that moves from one slice to another, whatever the
// writer does, until the cache has shown both.
//
// OnePort, Addresses, Merge and an Index are for slices of one API server, because resourceVersions of several mean nothing to
// each other. Join several clusters in a Cache, with the cluster in the key and in Source.Slice. Imported slices of multi-cluster
// Services (KEP-1645) are of the API server that has the imports.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/dedup/PROMISES.md
package dedup
