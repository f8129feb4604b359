// Package deduptest tests any reader of EndpointSlices: code that gets the events of an informer
// and shows endpoints.
//
//	func TestMyReader(t *testing.T) {
//		deduptest.Run(t, deduptest.Options{}, func() deduptest.Reader {
//			r := newMyReader()
//			return deduptest.Reader{
//				Event: func(e deduptest.Event) { r.handle(e.Old, e.New) },
//				See:   func() []deduptest.Seen { return r.endpoints() },
//				Use:   func(at routing.Location) []deduptest.Seen { return r.near(at) },
//			}
//		})
//	}
//
// If your reader reads from a lister, give it a lister that is backed by a map, and let Event fill
// the map. If handle takes interfaces, pass nil for an Old or New that is nil.
//
// The kit plays each kind of change alone, then each pair of changes, then random histories. The
// flag -deduptest.replay of go test plays one history, and -deduptest.seed draws other random
// histories. The kit prints the shortest history for each cause of a failure, except for the causes
// in Options.Known:
//
//	all: an endpoint that a slice holds is seen
//	  1. slice web-a is created
//	      added shop/web-a of web ipv4 rv=1 | http:8080 | 10.0.0.1{pod=pod-1,uid=1} 10.0.0.2{pod=pod-2,uid=2}
//	  2. 10.0.0.1 moves from slice web-a to web-b, copied first
//	      added shop/web-b of web ipv4 rv=2 | http:8080 | 10.0.0.1{pod=pod-1,uid=1}
//	      updated shop/web-a of web ipv4 rv=3 | http:8080 | 10.0.0.2{pod=pod-2,uid=2}
//	      ! not seen: shop/web:http/TCP 10.0.0.1:8080
//	  seen: shop/web:http/TCP 10.0.0.2:8080 ready
//	  cause: "all: not seen: …"
//	  broken in 35 of 400 histories; this one alone: -deduptest.replay="web-a / move-copied-first"
//
// # Guarantees
//
// See returns a [Seen] for each endpoint (its first address) and each port of its slice. All fields
// of a Seen but State are its place. Two spellings of an address are one place. Only slices with
// the label kubernetes.io/service-name count.
//
//	all            a place that is ready in all slices that hold it is seen; with ShowsAll, every place is seen
//	only           what is seen is held by a slice, in the state that is seen
//	once           no place is seen twice
//	steady         what is seen of a place stays the same until a slice that holds it changes
//	no-panic       neither Event nor See nor Use panics; the kit goes on with a new reader
//	returns        all calls return in time
//	pure           the slices of events are not changed, because they are the informer's
//	order          if slices disagree, the copy that the rule of package dedup chooses is seen ("Which copy wins")
//	hints          with Reader.Use: a client uses the endpoints with a hint for its node if each endpoint of the
//	               service port and address family has a hint for nodes, and some hint is for this node;
//	               otherwise the same holds for zones; otherwise it uses all
//	same-list      on request (Options.Also): the same slices give the same list, in the same order
//
// Options.Without can leave out the guarantee "order", and these features:
//
//	FQDN           slices of host names. What is seen of them is not judged
//	IPv6           slices of IPv6 addresses
//	Spelling       one IPv6 address in two spellings
//	UDP            a port of another protocol with the name of a TCP port
//	AnyPort        ports without a number, which need not be seen, or are seen with number 0
//	SeveralNumbers a port whose number is not the same in all slices of a Service
//	Relabelling    a slice that goes from one Service to another, or to none
//	DoubledDeletes the deletion of a slice that is gone already
//	LostDeletes    tombstones, and slices that were deleted and created again without events
//	OlderVersions  an older version of a known slice, as in a relist from an API server that lags
//	NodeHints      hints for nodes
//	UnnamedPort    on request (Options.Also): a port without a name beside one that has a name
//
// Slices are as the API server stores them. The first list is sorted by namespace and name. A ready
// endpoint may be terminating or not serving (publishNotReadyAddresses). Any condition may be nil.
// Not judged are:
//
//   - which version of a slice counts while a relist shows an older one,
//   - addresses after the first one,
//   - draining endpoints if a service port has no ready endpoint,
//   - hints if an endpoint is not ready or slices disagree,
//   - which copy is seen, if Options.Without has "order".
package deduptest
