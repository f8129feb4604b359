// Package service plans the EndpointSlices of a Service: its Pods, or anything else that has addresses, and the existing
// slices in; creates, updates and deletes out. It derives which endpoints are wanted as Kubernetes' own controller does, and
// leaves the planning to package slicer.
//
// A controller applies the steps of the plan in order, stops at the first that fails, and plans again:
//
//	for {
//		o := service.Options{ManagedBy: "slices.example.com"}
//		plan, _, err := service.Plan(svc, pods, node, list(), o) // of the namespace, of every manager
//		if err != nil || apply(plan.Steps) == nil {
//			return err
//		}
//	}
//
// [Managed] says beforehand whether a Service is to be published, and [PlanRemoval] takes back what was. [Input] is for
// whoever wants to change what is wanted. A controller of large Services lists Pods by the Service's selector and says so
// with Options.Selected.
//
// # Migrating
//
// A controller that already publishes slices keeps its ManagedBy. The first plan then writes nothing, also if the slices have
// generated names, another order of ports or another spelling of addresses. There is one exception: a Service with topology
// mode Auto loses its hints if Options.Slices.Hints has no weights, and Plan.Hints says so.
//
// An EndpointSliceTracker, with ShouldSync or StaleSlices, is not needed. Names are stable, and updates and deletes carry the
// resourceVersion, so a plan from a stale cache fails with AlreadyExists or Conflict and writes nothing twice.
//
// A Service passes from one manager to another in three steps: the old manager stops, the new one creates its slices beside
// the old ones, and then the old ones are deleted with [PlanRemoval] and the old ManagedBy. Kubernetes' controller stops when
// the Service has no selector. The examples show each of these.
//
// Nothing that is given is changed, the same values give the same result, and a plan shares no memory with its inputs.
package service
