// Package slicertest tests any code that writes EndpointSlices. It plays histories, which consist
// of events and faults such as added Pods and lost answers, against an API server in memory.
//
//	func TestWriter(t *testing.T) {
//		o := slicertest.Options{ManagedBy: "slices.example.com", MaxEndpointsPerSlice: 3}
//		slicertest.Run(t, o, func(server http.RoundTripper) func(context.Context, slicertest.State) error {
//			client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: server, QPS: -1})
//			r := NewReconciler(client, 3)
//			return func(ctx context.Context, s slicertest.State) error {
//				return r.Reconcile(ctx, s.Key, s.Service, s.Pods, s.Own)
//			}
//		})
//	}
//
// QPS: -1 turns off the client's rate limit. [Options] say what the writer supports. The comment of
// [Run] shows a failure.
//
// # Guarantees
//
// These are always judged. KIT.md in this folder explains "when all is quiet". It also lists what
// is judged only if Options.Also names it, and what is not judged.
//
//	accepted       the API server accepts every write
//	no-collision   a write from an up-to-date view gets no AlreadyExists, Conflict or NotFound
//	within-max     no slice grows above the maximum
//	complete       when all is quiet, the slices hold exactly the wanted endpoints, with ports, readiness and hostname
//	nothing-false  when all is quiet, everything that the slices say about an endpoint is true
//	detailed       when all is quiet, the slices have each detail that Options.Also names, such as Zone; see KIT.md
//	once           when all is quiet, each endpoint is in one slice only
//	tidy           when all is quiet, at most one slice of a family and list of ports has no endpoints
//	no-gap         a wanted endpoint that is published on its ports stays so after every single write
//	no-port-gap    an endpoint whose ports change is published on the old or new ones after every single write
//	foreign-kept   slices of other managers, Services and namespaces are not changed
//	metadata-kept  annotations, finalizers and owners that others put on a slice stay
//	labels         after any history, the slices have the labels that the same writer would give on an empty API server
//	same-as-fresh  after any history, the slices say what the same writer would write on an empty API server
//	fixed-point    a sync that finds nothing to do sends no write
//	converges      after the last fault, a sync succeeds within a few calls
//	reports        a sync whose write failed returns an error
//	no-panic       no sync panics
//	returns        a sync returns in time, after all its writes
//	pure           a sync does not change the objects that it is given, because informers share them
package slicertest
