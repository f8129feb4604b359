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
// If your reader uses a lister, give it one that is backed by a map, which Event fills.
//
// The kit plays each kind of change alone, then each pair, then random histories. The flag
// -deduptest.replay of go test plays one history, and -deduptest.seed draws other random histories.
//
// # Guarantees
//
// See returns a [Seen] for each endpoint (its first address) and each port of its slice. Two Seen
// are one endpoint if only State or the spelling of the address differs. Only slices with the label
// kubernetes.io/service-name count.
//
//	all            an endpoint that is ready in all slices that hold it is seen; with ShowsAll, every endpoint
//	only           what is seen is held by a slice, in the state that is seen
//	once           no endpoint is seen twice
//	steady         what is seen of an endpoint stays the same until a slice that holds it changes
//	no-panic       neither Event nor See nor Use panics; the kit goes on with a new reader
//	returns        all calls return in time
//	pure           the slices of events are not changed, because they are the informer's
//	order          if slices disagree, the copy that the rule of package dedup chooses is seen ("Which copy wins")
//	hints          with Reader.Use: a client uses the endpoints that hints choose for its node or zone
//	same-list      on request (Options.Also): the same slices give the same list, in the same order
//
// [Options] lists the features that a reader need not support. Not judged are:
//
//   - which version of a slice counts while a relist shows an older one,
//   - addresses after the first one,
//   - draining endpoints if a service port has no ready endpoint,
//   - hints if an endpoint is not ready or slices disagree.
package deduptest
