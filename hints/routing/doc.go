// Package routing decides which endpoints a reader uses, in which order, and why: by their
// conditions, their hints and their place. It is for proxies, gateways and DNS servers. Package
// hints is for the writers of hints.
//
// A reader asks which endpoints its node uses:
//
//	served := dedup.OfService(svc, slices)
//	if len(served.Problems) > 0 {
//		log.Print(served.Problems) // what was skipped, and why; the rest is good
//	}
//	at := routing.Location{NodeName: node.Name, Zone: node.Labels[corev1.LabelTopologyZone]}
//	for _, port := range served.Ports {
//		use(port.Port, routing.Route(port.Endpoints, dedup.Found.Candidate, at, routing.Inside(svc)).Endpoints)
//	}
//
// # What to call
//
//	I want                                              I call
//	the endpoints that a node or zone sends traffic to  Route
//	the endpoints to use next if these fail             Failover
//	to know why an endpoint is used or not              Explain
//	the policy for traffic to a Service's cluster IP    Inside
//	the policy for traffic from outside the cluster     Outside
//	near endpoints by place, as the Service prefers     NearOf, for Policy.Near
//	a Candidate of an endpoint of the API               CandidatesOf
//
// A Policy describes one kind of traffic. Traffic to the cluster IP and traffic from outside can
// have different policies, so a reader of both makes two calls. The zero Policy is the default of
// kube-proxy. For traffic from a Pod or process on the reader's own node to a load balancer's
// address, to an external IP or to a node port of this node, use the zero Policy, whatever the
// Service's traffic policies are.
//
//	a reader wants                                            Policy
//	what kube-proxy uses                                      Inside(svc); Outside(svc)
//	its own zone first, then all endpoints, without hints     {Near: Zone}
//	its own node first, then its zone, then its region        {Near: Node | Zone | Region}
//	its own zone, but only if it has at least three endpoints {Near: Zone, AtLeast: 3}
//	near endpoints or none                                    {Near: Zone} and Failover; use tiers with Scope.Near
//	unready endpoints rather than none                        {LastResort: true}
//	each Pod once, by any of its addresses                    {AnyFamily: true}
//	hints only for Services that ask for them                 {IgnoreHints: hints.ModeOf(svc) == hints.None}
//
// All functions are safe for concurrent use. They change none of their inputs and keep nothing.
package routing
