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
// same rest.Config, and reads the Service, its Pods and the Nodes from the API; ask for CachedReads if the client reads from
// informers in production. A writer without a client calls the methods of API. One that publishes no Pods turns the Pods of
// the State into whatever it publishes, and says with Options.Want what follows: see the example. A writer that logs with klog
// fills the test's output: silence it with klog.SetLogger(logr.Discard()).
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
//	  cause: "no-gap: … is wanted, was published, and is in no slice now"
//	  broken in 30 of 100 histories; this one alone: -slicertest.replay="pods=1 / add-pod=1"
//
// There is one story for each cause. Options.Known lists causes that are known, so that a weakness that is listed hides nothing
// else. A history can be lived through alone, with the flag of the last line or with Options.Replay, for a breakpoint or a log.
// A panic in a goroutine of the writer ends the process; which history that was is in a file, slicertest-*.txt in the directory
// for temporary files, that Run names on standard error.
//
// # Guarantees
//
// These are always judged:
//
//	accepted       the API server accepts what is written
//	no-collision   a write whose view is up to date meets no AlreadyExists, Conflict or NotFound
//	within-max     no slice grows above the maximum
//	complete       when all is quiet, the slices hold the wanted endpoints, with their ports and readiness, and no others
//	nothing-false  when all is quiet, whatever the slices say of an endpoint is true
//	detailed       when all is quiet, the slices say what Options.Also asks for
//	once           when all is quiet, each endpoint is in one slice only
//	no-gap         an endpoint that is published on the ports that it should have stays so after every single write
//	no-port-gap    an endpoint whose ports change is published on old or new ones after every single write
//	foreign-kept   slices of other managers, Services and namespaces stay as they are
//	metadata-kept  annotations, finalizers and owners that others put on a slice stay
//	labels         after any history, the slices have the labels that the same writer gives on an empty API server
//	same-as-fresh  after any history, the slices say what the same writer says on an empty API server
//	fixed-point    a sync that finds nothing to do sends no write
//	converges      a few syncs after the last fault, a sync succeeds
//	reports        a sync whose write failed returns an error
//	no-panic       no sync panics
//	returns        a sync returns in time, and has made all its writes then
//	pure           a sync does not change the objects that it is given, because informers share them
//
// Options.Also asks for these, which good writers may break:
//
//	deterministic  the same history, with lists in another order, leads to the same writes
//	fewest-writes  no more slices are written than have changed, or are needed for new endpoints
//	nobody-moves   an endpoint stays in its slice
//
// What the slices should hold is what Kubernetes publishes for the Service and its Pods. Options.Want replaces that, for
// writers that publish something else.
//
// # What happens
//
// A history begins with a Service, headless or with one or two families, and some Pods, whose ports are http (8080, some 9090)
// and metrics (9100). Every run tries all events alone and all pairs of events and faults first, and then random histories; the
// same Options draw the same ones. Options.Without leaves out what a writer does not claim to do:
//
//	IPv6            slices of IPv6 addresses
//	DualStack       a Service with IPv4 and IPv6 at once
//	Spelling        Pods whose IPv6 address is not in its canonical spelling
//	NamedPorts      target ports by name, which Pods give different numbers
//	SeveralPorts    a Service with more than one port
//	Protocols       two protocols on one number, as DNS has them
//	AppProtocol     a port with appProtocol
//	Headless        a Service without cluster IP
//	NotReady        Pods that are not ready are published as not ready
//	Terminating     Pods that terminate are published as not ready, if there is no other rule
//	PublishNotReady publishNotReadyAddresses
//	LostNodes       the Node of a Pod goes while the Pod stays
//	ReusedAddresses a Pod gets the address of one that is gone, or has finished
//	ServiceLabels   slices have the labels of the Service
//	Hints           trafficDistribution
//	Recreated       a Service is deleted and created under the same name, with the garbage collector before it or behind it
//	Namespaces      a Service of the same name in another namespace, with slices that look like the writer's
//	Others          other people create, change and delete slices, also while a sync is under way
//	Leftovers       slices as an older version or a second instance of the writer left them
//	Oversized       slices above the maximum, as an older version with a higher one left them
//	Faults          a write fails, or its answer is lost
//	LateViews       State shows slices as they were before the last writes
//	Crashes         the writer is killed between two writes
//	Replicas        a second instance syncs between two writes of the first, or makes the same create before it
//
// Whatever slices say of zone, nodeName, targetRef and owners must be true. That they say it is judged only where Options.Also
// asks for it:
//
//	Zone            endpoints have the zone of their Node
//	NodeName        endpoints have the name of their Node
//	TargetRef       endpoints have a reference to their Pod
//	HeadlessLabel   slices of a headless Service have the label service.kubernetes.io/headless
//	Owner           the Service owns its slices, so that they go when it goes
//	LateCaches      State is up to three writes late all the while, and shows slices out of order; it is judged in the end alone,
//	                except for what must hold after every write
//	CachedReads     get and list of slices answer as State.All shows, as controller-runtime's default client does
//
// One more says what the API server takes:
//
//	Apply           patches may be server-side apply, in JSON. Whoever writes otherwise is another manager, so that a controller
//	                has to force
//
// # Fairness
//
// The kit blames a writer only for what it could have done better:
//
//   - A writer is called again until a call succeeds and writes nothing, as a controller is woken by its own slices: as long as
//     calls change something, one write each if need be. Then all is quiet, and only then the slices are judged; no-gap and
//     no-port-gap are judged after every write, because readers see each.
//   - no-collision counts only in a sync that no fault befalls, whose view equals the server, while nobody else writes, and not
//     where the slice of this name is deleted and waits for somebody's finalizer.
//   - Slices whose owner is gone are collected. While a Service is created anew, after others have deleted a slice, while a second
//     instance is at work, and where an address goes to another Pod, gaps do not count.
//   - Slices may stay above the maximum, but may not grow there.
//   - Label values count for the labels of the Service and those of Kubernetes. A writer may number its slices.
//   - A Pod whose Node is missing may be published or not, and may make calls fail. Several in a row that fail without a write
//     are quiet.
//   - Where an endpoint is hinted to several zones, hints may depend on those that were there before.
//   - Requests that change nothing count as writes, because the API server and its audit log bear them, too.
//   - no-port-gap is not judged where endpoints swap their ports, because slices may have to wait for each other.
//   - A delete of what is gone has not failed. A failed write that the same call makes good has not, either.
//   - After a panic the history goes on with a new instance, so that one mistake does not hide others. What follows from another
//     breach in the same history, as same-as-fresh from complete, is not told.
//
// There are no watches: State is what the informers show, and it says which slices were deleted in between.
// Patches are JSON merge patches, strategic ones that mean the same, and with the Feature Apply server-side apply,
// where no slice shows its managed fields. Others and dry runs are refused with an error that says so. The answers are those
// of a real API server (internal/test/cluster/sidebyside/answers compares them, and lists what differs).
package slicertest
