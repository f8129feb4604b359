// Package slicertest tests code that writes EndpointSlices, whoever wrote it and in whatever way: it lets a writer live through
// histories of a Service, against an API server in memory, and says which guarantees it breaks, each with the shortest
// history that it found. Nothing of Slicewright needs to be in the code under test. This puts a controller under test that
// uses client-go:
//
//	func TestWriter(t *testing.T) {
//		o := slicertest.Options{ManagedBy: "slices.example.com", Max: 3}
//		slicertest.Run(t, o, func(api *slicertest.API) slicertest.Sync {
//			client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: api, QPS: -1})
//			r := NewReconciler(client, 3)
//			return func(ctx context.Context, s slicertest.State) error {
//				return r.Reconcile(ctx, s.Service, s.Pods, s.Own)
//			}
//		})
//	}
//
// The API is an http.RoundTripper, so that the real clients are under test, too. QPS is -1 because a client is made for each
// history: with its default, 5 requests per second, the kit would wait most of the time. controller-runtime's client takes the
// same rest.Config, and reads the Service, its Pods and the Nodes from the API; set Options.CachedReads if the client reads
// from informers in production. A writer without a client calls the methods of API.
//
// A guarantee that does not hold fails with a story like this. Each numbered line is something that happens; below it are the
// writes that the writer answers it with:
//
//	no-gap: an endpoint that is published on the ports that it should have stays so after every single write
//	  at first: 1 Pod
//	      create web = ipv4 [http:8080] 10.0.0.2
//	  1. 1 Pod is added
//	      delete web
//	      ! 10.0.0.2 on [http:8080] is wanted, was published, and is in no slice now
//	  broken in 34 of 100 histories; Seed: 0 draws them again
//
// # Guarantees
//
// These are always judged:
//
//	accepted       the API server accepts what is written
//	within-max     no slice grows above the maximum
//	complete       when all is quiet, the slices hold the wanted endpoints, with their ports and readiness, and no others
//	once           when all is quiet, each endpoint is in one slice only
//	no-gap         an endpoint that is published on the ports that it should have stays so after every single write
//	foreign-kept   slices of other managers and of other Services stay as they are
//	metadata-kept  annotations, finalizers and owners that others put on a slice stay
//	labels         after any history, the slices have the labels that the same writer gives on an empty API server
//	same-as-fresh  after any history, the slices say what the same writer says on an empty API server
//	fixed-point    a sync that finds nothing to do sends no write
//	converges      a few syncs after the last fault, a sync succeeds
//	reports        a sync whose write failed returns an error
//	no-panic       no sync panics
//	pure           a sync does not change the objects that it is given, because informers share them
//
// Options.Also asks for these, which good writers may break:
//
//	no-port-gap    an endpoint whose ports change is published on old or new ones after every single write
//	deterministic  the same history, with lists in another order, leads to the same writes
//	fewest-writes  no more slices are written than have changed, or are needed for new endpoints
//	nobody-moves   an endpoint stays in its slice
//
// What the slices should hold is what Kubernetes publishes for the Service and its Pods. Options.Want replaces that, for
// writers that publish something else. Options.Without leaves out what a writer does not claim to do, and Options.Known lists
// what it is known to break, until it is mended.
//
// # What happens
//
// A history begins with a Service, headless or with one or two families, and some Pods. Then Pods come, go, are replaced, lose
// their readiness, terminate, finish, and wait for a Node; Nodes go. Ports change their numbers and names, or have different
// numbers in different Pods. The Service changes its labels, families or settings, or is created anew. Other people publish
// slices of their own, and annotate or delete the writer's. Older versions and second instances of the writer have left slices.
// Writes fail, their answers are lost, they meet a conflict or a slice of the same name. Views are late, and the writer is killed
// between two writes. Every run tries all pairs of events and faults first, and then random histories; the same Options draw the
// same ones.
//
// # Fairness
//
// The kit blames a writer only for what it could have done better:
//
//   - A writer is called again until a call succeeds and writes nothing, as a controller is woken by its own slices: as long as calls
//     change something, one write each if need be. Then all is
//     quiet, and only then the slices are judged; no-gap is judged after every write, because readers see each.
//   - Slices whose owner is gone are collected. While a Service is created anew, and after others have deleted a slice, gaps do
//     not count.
//   - Slices may stay above the maximum, but may not grow there.
//   - Label values count for the labels of the Service and those of Kubernetes. A writer may number its slices.
//   - A Pod whose Node is missing may be published or not, and may make calls fail. Several in a row that fail without a write
//     are quiet.
//   - Requests that change nothing count as writes, because the API server and its audit log bear them, too.
//   - no-port-gap is not judged where endpoints swap their ports, because slices may have to wait for each other.
//   - A delete of what is gone has not failed. A failed write that the same call makes good has not, either.
//   - After a panic the history goes on with a new instance, so that one mistake does not hide others.
//
// There are no watches: State is what the informers show, and it says which slices were deleted in between. Patches are JSON
// merge patches, or strategic ones that mean the same; server-side apply and dry runs are refused with an error that says so.
package slicertest
