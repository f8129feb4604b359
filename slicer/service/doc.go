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
// Nothing that is given is changed, the same values give the same result, and a plan shares no memory with its inputs.
package service
