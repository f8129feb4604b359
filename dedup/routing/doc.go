// Package routing decides which endpoints of a port a reader uses: by their conditions, hints and
// place, which is a node, zone or region. It also forecasts the load of the endpoints.
//
//	view := dedup.Merge(slices, dedup.Options{})
//	at := routing.Location{NodeName: node.Name, Zone: node.Labels[corev1.LabelTopologyZone]}
//	for _, port := range view.ForProxy(svc).Ports {
//		use(port.Port, routing.Route(port.Endpoints, at, routing.Internal(svc)))
//	}
//
// Pass all endpoints of one port of a Service. Filter by port, protocol and anything else that
// splits traffic before the call, never after: one ready endpoint without a hint turns hints off
// for all endpoints of its address type, and an endpoint of another port must not do that.
//
// A reader with its own type of endpoint makes a list of dedup.Endpoints and calls Explain: the
// result has the same order. All functions are safe for concurrent use, and change none of their
// inputs.
//
//	a reader wants                                  Policy
//	what kube-proxy uses                            Internal(svc), External(svc)
//	the same, for clients on its own node that use
//	an external address or a node port              {}
//	its own zone first, then its region, then all   {Near: Zone}
//	the same, if there are at least three           {Near: Zone, AtLeast: 3}
//	its own zone or none                            {Near: Zone}, of Failover only tiers with Place Zone
//	hints only for Services that ask for them       {IgnoreHints: hints.ModeOf(svc) == hints.None}
//
// The health check of a whole Service on a node (spec.healthCheckNodePort, for externalTrafficPolicy
// Local), and the choice of the nodes that announce its addresses, need no port:
//
//	here := func(e dedup.Endpoint) bool { return e.Conditions.Ready && e.NodeName == node.Name }
//	healthy := slices.ContainsFunc(slices.Collect(view.Addresses(name)), here)
//
// # Reasons of a Verdict
//
// Used: IsReady Hinted IsNear IsLastResort NoneReady. Not used: NotReady OthersReady OthersHinted
// OthersNear OtherNode OtherAddress.
package routing
