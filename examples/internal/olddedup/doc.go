// Package dedup joins EndpointSlices into one list of unique endpoints for each port of a Service.
//
// An endpoint of a Service may be in several slices, which may disagree about it. A reader that
// wants the endpoints of one port now:
//
//	found, problems := dedup.OnePort(slices, dedup.PortOptions{Service: name, Port: "http"})
//	if len(problems) > 0 {
//		log.Print(problems) // what was skipped, and why; the rest is right
//	}
//	for _, f := range found {
//		if f.State().Ready {
//			use(net.JoinHostPort(f.Address, strconv.Itoa(int(f.Port))))
//		}
//	}
//
// # What to call
//
//	I keep                 I want                                  I call
//	nothing                the endpoints that kube-proxy uses      OfService
//	                       the same for a gateway                  ForGateway
//	                       the endpoints of one port               OnePort
//	                       the addresses, whatever the port        Addresses
//	                       each address once for each Pod, for DNS Targets
//	                       all Services and ports                  Merge
//	slices of a watch      all of this, and what changes           Index
//	                       the endpoints that kube-proxy uses      Index with Proxied, and View.OfService
//	                       the addresses, and what changes         Index with Options.AllPorts
//	entries of a type      each key once, for example Pod names    Cache
//
//	I also want                                        I call
//	the endpoints for my node, and the next ones       routing.Route
//	why an endpoint of a Service gets no traffic       Served.Unused
//	slices with the Service's name in another label    ByLabel
//	where slices disagree, and why the others lost     View.Conflicts
//
// # Words
//
// A service port is a Service, the name of a port and its protocol. An endpoint is one address and
// port number behind it. Its target is the object in targetRef, often a Pod. A [Problem] is a
// skipped part of a slice. The newest slice has the highest resourceVersion. Slices whose
// resourceVersion is not a number are older than all others, and are ordered by the trigger time in
// their annotation endpoints.kubernetes.io/last-change-trigger-time.
//
// # Which copy wins
//
// If several slices have an address and port number, all functions decide alike:
//
//  1. Of copies with one target (its UID, or else kind, namespace and name), the copy in the newest
//     slice wins, because the endpoint moved.
//  2. The remaining copies have different targets, because an address can be used again. Copies
//     that are not terminating come first, then ready ones, then serving ones. Ties are broken by
//     the slice's name, then by the other fields.
//
// # Promises
//
// An Index shows what Merge returns for the same slices, in any order of events. Inputs are never
// changed. [PROMISES.md] has all promises and deviations.
//
// # Limits
//
// If a cache shows slices in another order than they were written, a reader may miss an endpoint
// that moves between two slices, until both are shown.
//
// All slices must come from one API server, because the resourceVersions of two servers cannot be
// compared. Join several clusters in a Cache, with the cluster in the key and in Source.Slice.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/dedup/PROMISES.md
package dedup
