// Package slicertest tests any code that writes EndpointSlices. It plays histories of a Service
// against an API server in memory. A history is a sequence of events and faults, such as added Pods
// and lost answers. The package reports each guarantee that the writer breaks, with the shortest
// history. An example:
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
// controller-runtime's client takes the same rest.Config. QPS: -1 turns off the client's rate
// limit. By default, a slice must have all ports of its endpoints. A writer without Pods sets
// Options.Want, and so does one that publishes the ports of a Service in several slices.
//
// A broken guarantee is reported with a history, which has the events and the writes after each:
//
//	no-gap: a wanted endpoint that is published on its ports stays so after every single write
//	  at first: 1 Pod
//	      create web = ipv4 [http:8080] 10.0.0.2
//	  1. 1 Pod is added
//	      delete web
//	      ! 10.0.0.2 on [http:8080] is wanted, was published, and is in no slice now
//	  cause: "no-gap: … is wanted, was published, and is in no slice now"
//	  broken in 17 of 60 histories; this one alone: -slicertest.replay="pods=1 / add-pod=1"
//
// For each cause of a broken guarantee, the shortest history that was found is printed.
// Options.Known lists causes that you accept. The flag -slicertest.replay of go test plays one
// history, and -slicertest.seed draws other random histories.
//
// # Guarantees
//
// These are always judged. "When all is quiet" means that no event and no fault is left and a sync
// has written nothing; KIT.md has the exact rule:
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
//
// Options.Also asks for these, which good writers may break:
//
//	deterministic  the same history, with lists in another order, leads to the same writes
//	fewest-writes  a sync makes at most one write for each slice that must change and each new slice that is needed
//	no-moves       an endpoint stays in its slice
//
// Options.Without leaves out what a writer does not claim to do. [KIT.md] lists the events of a
// history, and what the kit does not judge.
//
// [KIT.md]: https://github.com/slicewright/slicewright/blob/main/slicer/slicertest/KIT.md
package slicertest
