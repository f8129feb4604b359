// Package routing decides which endpoints a reader uses, and in which order, by their conditions, hints and places.
//
// A reader asks which endpoints its node uses, and which come next:
//
//	found, problems := dedup.OnePort(slices, dedup.PortOptions{Service: name, Port: "http"})
//	if len(problems) > 0 {
//		log.Print(problems) // what was set aside, and why; the rest is good
//	}
//	at := routing.Location{NodeName: node.Name, Zone: node.Labels[corev1.LabelTopologyZone]}
//	use(routing.Route(found, dedup.Found.Candidate, at, routing.Inside(svc)).Endpoints)
//
// # What to call
//
//	I want                                             I call
//	the endpoints that a node or zone sends traffic to Route
//	those that come next when these fail               Failover
//	a gateway's own zone first, with or without hints  Failover with PreferZone and AnyFamily
//	what both must know of an endpoint, of a Service   CandidatesOf, PolicyOf
//
// All functions are safe for concurrent use. They change none of their inputs and keep nothing.
package routing
