// Package deduptest tests anybody's reader of EndpointSlices: code that is told of slices by an informer and shows endpoints.
//
// A reader is under test after ten lines:
//
//	func TestMyReader(t *testing.T) {
//		deduptest.Run(t, deduptest.Options{}, func() deduptest.Reader {
//			r := newMyReader()
//			return deduptest.Reader{
//				Event: func(e deduptest.Event) { r.handle(e.Old, e.New) },
//				See:   func() []deduptest.Seen { return r.endpoints() },
//			}
//		})
//	}
//
// A reader without a cache, which asks a lister whenever it is asked, keeps the slices of the events in a map and asks that. A
// reader that logs with klog fills the test's output: silence it with klog.SetLogger(logr.Discard()).
//
// The kit plays histories to it: every kind of change alone, after every other one, then random ones. In them endpoints move
// between slices, come back, terminate, change port and share an address; slices contradict each other, change their Service, are
// deleted twice or while the watch is down, and come back in an older version by a relist that lags behind. A failure is a
// story, cut down to the steps that it needs:
//
//	all: an endpoint that a slice holds is seen
//	  1. slice web-a is created
//	      added shop/web-a of web ipv4 rv=1 | http:8080 | 10.0.0.1{pod=pod-1} 10.0.0.2{pod=pod-2}
//	  2. 10.0.0.1 moves from slice web-a to web-b, copied first
//	      added shop/web-b of web ipv4 rv=2 | http:8080 | 10.0.0.1{pod=pod-1}
//	      updated shop/web-a of web ipv4 rv=3 | http:8080 | 10.0.0.2{pod=pod-2}
//	      ! not seen: shop/web:http/TCP 10.0.0.1:8080
//	  seen: shop/web:http/TCP 10.0.0.2:8080 ready
//	  cause: "all: not seen: …"
//	  broken in 47 of 400 histories; this one alone: -deduptest.replay="web-a / move-copied-first"
//
// There is one story for each cause. Options.Known lists causes that are known, so that a weakness that is listed hides nothing
// else. A history can be played alone, with the flag of the last line or with Options.Replay, for a breakpoint or a log. A panic
// in a goroutine of the reader ends the process; which history that was is in a file, deduptest-*.txt in the directory for
// temporary files, that Run names on standard error.
//
// # What a reader should see
//
// After each event, See returns one [Seen] for each first address of an endpoint and each port of its slice: the slice's
// namespace and the value of its label kubernetes.io/service-name, the port's name, protocol and number, the address, and what
// the conditions mean ([State]). A slice without the label belongs to no Service, and nothing of it is seen. A place is all
// of this except the state, with the address in one spelling: fd00::1 and FD00:0::1 are one place. Seen have to be the places
// whose endpoint is ready in all slices that hold the place, or with Options.ShowsAll all places.
//
// # Guarantees
//
// All runs judge these; hints is judged for a Reader with Use.
//
//	all            a place that some slice holds, and that the reader shows, is seen
//	only           what is seen is held by a slice, in the state that is seen
//	once           no place is seen twice
//	steady         what is seen of a place stays the same until a slice that holds it changes: asked again, after a resync, and
//	               after events of other slices
//	no-panic       neither Event nor See nor Use panics; the kit goes on with a new reader
//	returns        all calls return in time
//	pure           the slices of events are not changed, because they are the informer's
//	order          where slices disagree about a place: of endpoints with one targetRef the one in the slice with the highest
//	               resourceVersion counts; of these, and of those without targetRef, the one that does not terminate, then is
//	               ready, then serves. A reader that does not know which slice is newer leaves it out (Options.Without)
//	hints          a node uses the endpoints for its zone where each endpoint of the service port has a hint and some hint is
//	               for the zone; else it uses all. The address families are judged apart, as kube-proxy runs once for each
//
// Options.Also asks for this one:
//
//	same-list      the list, too, is the same: asked again, after events that change nothing that shows, and for a new reader
//	               that is told the slices that there are
//
// # What happens
//
// Options.Without leaves out what a reader does not claim:
//
//	FQDN           slices of host names, which the API gives no meaning. What is seen of them is not judged
//	IPv6           slices of IPv6 addresses
//	Spelling       one IPv6 address in two spellings
//	UDP            a port of another protocol with the name of a TCP port
//	AnyPort        ports without a number. Nothing has to be seen of them; a reader may show them with number 0
//	SeveralNumbers a port whose number is not the same in all slices of a Service, for good or while it changes
//	Relabelling    a slice that goes from one Service to another, or to none
//	DoubledDeletes the deletion of a slice that is gone already
//	LostDeletes    tombstones, and slices that were deleted and made anew unnoticed
//	OlderVersions  a slice in an older version than the one known, as a relist from an API server that lags behind tells it
//
// Options.Also brings in what no Service makes, and anybody may write:
//
//	UnnamedPort    a port without a name beside one that has a name
//
// # What is not held against a reader
//
//   - Which copy counts where slices disagree, if order is left out: the reader may show either state, and need not show a place
//     that some slice calls not ready, unless it shows all.
//   - Which version counts while a relist tells an older one: the reader may believe either.
//   - Endpoints of FQDN slices, addresses beyond the first, and ports without a number (seen with number 0): the API gives the
//     first two no meaning. They may be seen, and need not be.
//   - Draining endpoints that are shown where a service port has no ready one.
//   - Hints where an endpoint of the service port is not ready, or slices disagree: readers differ.
//
// Slices are as the API server stores them: names and protocols of ports are never nil, the generation rises with endpoints,
// ports and labels; kind and apiVersion are empty. Each history has a reader of its own. The kit has no clock, and calls a reader
// from one goroutine.
package deduptest
