// Package service plans the EndpointSlices of a Service: from its Pods, or from anything else that has addresses, and the
// slices that exist it computes which slices to create, update and delete.
//
// Which endpoints are wanted it derives as Kubernetes' own controller does; package slicer, whose guarantees hold here too, plans.
// [github.com/slicewright/slicewright/slicer/publish] is for controllers: it reads the slices, calls Plan, PlanBackends or
// PlanSelection, and writes. What it would write can be printed without a cluster:
//
//	func show(svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node, existing []*discoveryv1.EndpointSlice) error {
//		plan, err := services.Plan(svc, pods, services.NodesByName(nodes), existing, services.Options{ManagedBy: "slices.example.com"})
//		if err != nil {
//			return err // a mistake in the Service or the call; the error names the field
//		}
//		fmt.Print(plan) // each write, in an order that is safe to interrupt, and what is not published
//		return nil
//	}
//
// # What to call
//
//	I have                                           I call
//	a Service and its Pods                           Plan
//	Nodes in a list, for the zones                   NodesByName
//	no Nodes, but Pods with a zone label             Plan with a nil node and Options.ZoneFromPod
//	Pods with addresses on a second network          Plan with Options.Addresses and Options.KeyLabel
//	virtual machines, Nodes, workloads elsewhere     PlanBackends
//	slices without a manager, to take over           any of these with Options.Adopt
//	a Service that may not be mine to publish        Plan, and errors.Is(err, ErrNotManaged); or Managed before it
//	a Service whose slices must go                   PlanRemoval
//	a selector without a Service: custom resources   PlanSelection
//	a controller                                     publish.Syncer, which calls these
//	Nodes that are cordoned before they are drained  Input, then slicer.Compute; CordonMatters for events
//	an event, and want to know whom to sync          PodMatters, then Selects; BackendMatters, ServiceMatters, NodeMatters, SliceMatters
//	wishes that no option covers                     Input or BackendsInput, then slicer.Compute
//
// What is given is not changed, the same values give the same result, and a plan shares no memory with its inputs but existing
// slices. All functions are safe for concurrent use.
//
// # What to do with what comes back
//
//   - An error of Plan is a mistake in the Service or the call, made of *field.Errors, or ErrNotManaged: write nothing, and do not
//     retry before the Service or the options change. The exception is ErrNodesUnknown: retry when the cache of Nodes is filled.
//   - Plan.Skips has each Pod, backend, address or port that is not published, with the reason. Everything else is.
//     Plan.Warnings returns the Skips that somebody should look at: log them, or make each an Event,
//     whose reason is Skip.Reason.
//   - Plan.Retry says that a Node is not known yet, although a Pod names it, or that addresses of a Pod could not be read: plan
//     again when they may be known.
//
// # A cache that is late
//
// A plan from a cache that does not show this writer's own last writes can take away the last copy of an endpoint that is wanted.
// A publish.Syncer waits for its cache; its package comment says what it promises, and the exceptions. Sync some tenths of a second after
// a change: [PodMatters] has figures.
//
// # Nodes that are cordoned or drained
//
// Plan publishes Pods on a cordoned Node like others, as Kubernetes does, and a drained Node evicts its
// Pods, which are then terminating. To take traffic away before that, change the endpoints between Input
// and Compute: not ready, but serving and terminating. Readers then use them only if no other endpoint is
// ready, so that a Service is not left without endpoints when all Nodes are cordoned.
//
//	in, err := services.Input(svc, pods, node, o)
//	if err != nil {
//		return slicer.Plan{}, err
//	}
//	yes, no := true, false
//	for _, g := range in.Groups {
//		for i := range g.Endpoints {
//			e := &g.Endpoints[i]
//			if e.NodeName == nil {
//				continue // no Node was found, and the Pod is published all the same
//			}
//			if n := node(*e.NodeName); n != nil && n.Spec.Unschedulable {
//				e.Conditions.Ready, e.Conditions.Terminating = &no, &yes
//			}
//		}
//	}
//	return slicer.Compute(in, existing)
//
// Do not leave out the Pods of such a Node, which removes the last endpoints as well, and do not return nil
// for it from the node func, which asks for retries (NodeMissing). [CordonMatters] tells which events of Nodes need a sync then.
//
// # Beside or instead of Kubernetes' controller
//
// Every manager of EndpointSlices writes its name, Options.ManagedBy, into the label endpointslice.kubernetes.io/managed-by and
// leaves slices with other names alone. Beside Kubernetes' controller choose a name of your own; kube-proxy joins the slices of
// both. Kubernetes' controller publishes every Service with a selector, so a Service that only you publish has none: [PlanBackends]
// takes it as it is, [Plan] a copy that has the selector. [KubernetesManager] is for clusters without Kubernetes' controller.
//
// A Service passes from one manager to another in three steps, and no endpoint is missing meanwhile: the old manager stops, which
// Kubernetes' controller does when the selector goes; the new one creates its slices; [PlanRemoval] with the old ManagedBy deletes
// the old ones.
//
// Writers that share the work by shards of a list and watch (KEP-5866) shard Services or Selections, not Pods. A writer must hold
// completely the Pods that the selector matches, the Nodes that these name, and the slices with the labels of Options.Key. If it sees half of the
// Pods, the plan deletes the endpoints of the other half; if it sees half of the slices, it creates the endpoints again.
//
// A controller that already publishes slices keeps its ManagedBy. The first plan then writes nothing, even if the slices have
// generated names, another order of ports or another spelling of addresses. The page [MIGRATING.md] has the exceptions.
//
// [MIGRATING.md]: https://github.com/slicewright/slicewright/blob/main/slicer/services/MIGRATING.md
package services
