// Package service plans the EndpointSlices of a Service: from its Pods, or from anything else that has addresses, and the
// slices that exist it computes which slices to create, update and delete.
//
// It derives which endpoints are wanted as Kubernetes' own controller does, and leaves the planning to package slicer, whose
// guarantees hold here too. A controller does this when something that it reads changes, and again after an error:
//
//	func sync(
//		svc *corev1.Service, pods []*corev1.Pod, node func(name string) *corev1.Node,
//		existing []*discoveryv1.EndpointSlice, w slicer.Writer,
//	) error {
//		plan, err := service.Plan(svc, pods, node, existing, service.Options{ManagedBy: "slices.example.com"})
//		if err != nil {
//			return err // a mistake in the Service or the call; the error names the field
//		}
//		if err := plan.Err(); err != nil {
//			log.Print(err) // each Pod, address or port that is not published, and why
//		}
//		return errors.Join(plan.Apply(w), plan.Retry()) // after Conflict, AlreadyExists or any other error: call again
//	}
//
// # What to call
//
//	I have                                           I call
//	a Service and its Pods                           Plan
//	Nodes in a list, for the zones                   NodesByName
//	no Nodes, but Pods with a zone label             Plan with a nil node and Options.ZoneFromPod
//	Pods with addresses on a second network          Plan with Options.Addresses and Options.Key
//	virtual machines, Nodes, workloads elsewhere     PlanBackends
//	a Service that may not be mine to publish        Plan, and errors.Is(err, ErrNotManaged); or Managed before it
//	a Service whose slices must go                   PlanRemoval
//	a selector without a Service: custom resources   PlanSelection
//	the client of client-go                          Plan.Apply with slicer.ClientWriter
//	an event, and want to know whom to sync          PodMatters, then Selects; ServiceMatters, NodeMatters, SliceMatters
//	wishes that no option covers                     Input or BackendsInput, then slicer.Compute
//
// existing are the slices with the label kubernetes.io/service-name of the Service, of every manager: the plan ignores foreign
// ones. Who lists by that label does not see a slice that has lost it. That slice stays until somebody deletes it, and a create
// that would get its name fails with AlreadyExists; who lists the whole namespace avoids the name.
//
// What is given is not changed, the same values give the same result, and a plan shares no memory with its inputs. All
// functions are safe for concurrent use. Pods on which the Service's ports have different numbers go to different slices, because a
// slice has one list of ports.
//
// # What to do with what comes back
//
//   - An error of Plan is a mistake in the Service or in the call, made of *field.Errors. Nothing is to be written. Report it; trying
//     again helps only when the Service has changed, or for the field node, when the cache of Nodes has been filled.
//   - Plan.Skips has each Pod, backend, address or port that is not published, with the reason. Everything else is published.
//     Make each Skip an Event, whose reason is Skip.Reason, or log Plan.Err. Skips that go away with the next change of the Pod
//     have Skip.Expected and deserve no warning; of all others somebody has to mend the Pod, the Service or the call.
//   - An error of Plan.Retry says that a Node is not known yet, although a Pod names it, or that addresses of a Pod could not be
//     read. Return it together with the error of Apply, so that the queue calls again.
//   - An error of Apply is Conflict or AlreadyExists if the cache was late or somebody else wrote, or else the API server's or the
//     network's. The steps before are done, and the rest is not. Read the slices again, and plan again.
//
// # A cache that is late
//
// A plan from a cache that does not show this writer's own last writes can take away the last copy of an endpoint that is wanted. Ask a
// [slicer.Writes] before Plan and write through it, as Sync of the README does; then no endpoint is lost over all plans of one writer whose
// answers are known. A program that starts, and a new leader, need one live list, or a cache that was filled from one after they started. Two
// writers of one Service, a process that is killed while a write is under way, and a request that is carried out after its answer was lost can cost
// an endpoint until the next sync. A reader whose cache shows slices out of their order may miss one between two plans.
//
// # How often to sync
//
// A sync some time after a change gathers what changes meanwhile: fewer writes, and each Pod is published later. Two rolling updates of 150 Pods on
// a real API server, with slicer.Writes (internal/test/cluster/sidebyside/figures/batch.md has the command):
//
//	from a change to the sync    writes    median from Ready to a watcher
//	0                            559       0.02 s
//	0.1 s                        209       0.11 s
//	0.5 s                         64       0.32 s
//	1 s                           36       0.53 s
//
// Without Writes the API server refused 101 writes more at 0, and 2 at 0.1 s. In the handler of an event the code is
// queue.AddAfter(key, period), of client-go or controller-runtime, in place of Add: a key that waits already keeps its time. The
// program examples/controller does so.
//
// # Beside or instead of Kubernetes' controller
//
// Every manager of EndpointSlices writes its name into the label endpointslice.kubernetes.io/managed-by and leaves slices with
// other names alone. Options.ManagedBy is this name. Beside Kubernetes' controller choose a name of your own; kube-proxy then
// joins the slices of both managers. Kubernetes' controller publishes every Service with a selector, so a Service
// that only you publish has none: [PlanBackends] takes it as it is, [Plan] a copy that has the selector. [KubernetesManager]
// is only for clusters in which Kubernetes' controller does not run.
//
// A Service passes from one manager to another in three steps. First the old manager stops; Kubernetes' controller stops when
// the Service has no selector. Then the new one creates its slices beside the old ones. Then [PlanRemoval] with the old
// ManagedBy deletes the old ones. No endpoint is missing meanwhile.
//
// Of a Service that has a selector readers join the Backends with the Pods that Kubernetes publishes; a Key of your own keeps
// them apart.
//
// Writers that share the work by shards of a list and watch (KEP-5866) shard Services or Selections, not Pods. A writer must hold
// completely the Pods that the selector matches, the Nodes that these Pods name, and the slices with the Key. If it sees half of the
// Pods, the plan deletes the endpoints of the other half. If it sees half of the slices, it creates the endpoints again.
//
// A controller that already publishes slices keeps its ManagedBy. The first plan then writes nothing, even if the slices have
// generated names, another order of ports or another spelling of addresses. The page [MIGRATING.md] has the exceptions, which are
// checked on what Kubernetes' own controller writes.
//
// [MIGRATING.md]: https://github.com/slicewright/slicewright/blob/main/slicer/service/MIGRATING.md
package service
