// Package services plans the EndpointSlices of a Service. From its Pods, or from anything else that
// has addresses, and the existing slices it computes which slices to create, update and delete.
//
// Like Kubernetes' own controller, it decides which endpoints are wanted. Package slicer then
// plans. Controllers use package slicer/publish, which reads the slices, plans and writes. This
// function only prints the writes:
//
//	func show(svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node, existing []*discoveryv1.EndpointSlice) error {
//		plan, err := services.Plan(svc, pods, services.NodesByName(nodes), existing,
//			services.Options{ManagedBy: "slices.example.com"})
//		if err != nil {
//			return err // a mistake in the Service or the call; the error names the field
//		}
//		fmt.Print(plan) // the writes, in an order that is safe to interrupt, and then what is not published
//		return nil
//	}
//
// # What to call
//
//	I have                                      I call
//	a Service and its Pods                      Plan
//	Nodes in a list, for the zones              NodesByName
//	no Nodes, but Pods with a zone label        Plan with Options.ZoneFromPod
//	Pods with addresses on a second network     Plan with Options.Addresses and KeyLabel
//	virtual machines, other addresses           PlanBackends
//	slices without a manager, to take over      any of these with Options.Adopt
//	a Service that may need no slices           Plan, and errors.Is(err, ErrNotManaged)
//	a Service whose slices must go              PlanRemoval
//	a selector without a Service                PlanSelection
//	cordoned Nodes                              Input, then slicer.Compute; CordonMatters
//	an event                                    PodMatters, then Selects; BackendMatters,
//	                                            ServiceMatters, NodeMatters, SliceMatters
//	a wish that no option covers                Input or BackendsInput, then slicer.Compute
//
// All functions are safe for concurrent use. They never change their inputs, and a plan shares no
// memory with them except for existing slices.
//
// # Results
//
//   - After an error, write nothing. ErrNodesUnknown: call again when the cache of Nodes is filled.
//     ErrNotManaged: the Service is not to be published. A *field.Error: the Service or the call is
//     wrong. ErrNotManaged also contains a *field.Error, so check for it first. After ErrNotManaged
//     and after a *field.Error, call again only when the Service or the options change.
//   - Plan.Warnings lists what is not published and needs attention. Log it, or make each an Event
//     with the reason Skip.Reason. Plan.Skips also has routine cases.
//   - Plan.Retry: a Node or addresses of a Pod are not known yet. Plan again.
//
// # Nodes that are cordoned or drained
//
// Plan publishes Pods on a cordoned Node like others, as Kubernetes does. To take traffic away
// before the Node is drained, change the endpoints between Input and Compute: the comment of
// [CordonMatters] has the code.
//
// # Beside or instead of Kubernetes' controller
//
// Each manager of slices writes its name, Options.ManagedBy, into a label and leaves the slices of
// other managers alone. kube-proxy joins the slices of all. Kubernetes' controller publishes the
// Pods of each Service with a selector. Where that controller runs, call PlanBackends for Services
// without a selector. For anything else set Options.KeyLabel: kube-proxy and DNS then ignore these
// slices. Where it does not run, Plan needs no KeyLabel. With ManagedBy: [KubernetesManager], Plan
// takes over that controller's slices. [MIGRATING.md] says how a Service moves between managers
// without a gap, how writers share the work by shards, and what the first plan changes in slices
// that a controller wrote before it used this package.
//
// [MIGRATING.md]: https://github.com/slicewright/slicewright/blob/main/slicer/services/MIGRATING.md
package services
