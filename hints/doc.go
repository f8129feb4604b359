// Package hints decides which zone or node may use an endpoint: the hints of EndpointSlices, for writers. Readers call hints/routing,
// and hints/forecast says what hints would do.
//
// A writer seldom calls this package: services.Plan of package slicer/services decides hints with what the Service asks for.
//
// # What to call
//
//	I want                                             I call
//	the hints that a Service asks for                  ModeOf
//	the hints of all slices of a set and address type  Assign
//	the hint of one endpoint, in SameZone and SameNode HintOf
//	the weights of zones, from Nodes                   NodeWeights
//	to know whether an event of a Node matters         NodesMatter
//	to know which sets need new hints for new weights  NeedsSync
//	to know whether a decision is worth an event       Decision.Same
//
// All functions are safe for concurrent use. They change none of their inputs and keep nothing.
//
// # Modes
//
// [SameZone] and [SameNode] are what spec.trafficDistribution of a Service asks for: every endpoint is hinted to its own zone, and
// node. [Proportional] is topology mode Auto, an annotation that Kubernetes has deprecated. It gives each zone endpoints in
// proportion to a weight, by default the allocatable CPU of its Nodes, so that traffic stays in its zone as long as no endpoint is
// overloaded.
//
// SameZone says nothing about load: a zone with few endpoints overloads them. With [Options].Limit, no endpoint is expected to carry
// more than a percentage above the mean, and some are hinted to several zones. Slices that are written one after the other can exceed
// the limit for a moment after a large change.
//
// An endpoint's home zone is its own zone, if that zone has a weight. An endpoint is lent if it is hinted to another zone. A
// slice is clean if it would not be written except for its hints, and opened if it is written for them. An allocation for zones
// a, b and c with weights 1, 1 and 2, twelve endpoints, and a threshold of 20%:
//
//	      homes     minimum            hinted
//	a     ####      ceil(2.5)  = 3     ###        one lent to c
//	b     ####      ceil(2.5)  = 3     ####
//	c     ####      ceil(5.0)  = 5     ####+
//
// There is no state. Hints are on if some ready endpoint has a zone hint, and the allocation starts from the hints that are
// there. [Thresholds] say when hints come and go.
//
// # Promises
//
//   - In Proportional every ready endpoint has exactly one zone hint while hints are on, and none while they are off; no zone is
//     expected to be overloaded by more than the stop threshold; hints are on exactly if an allocation within the threshold exists;
//     as few endpoints as possible leave their zone, and few hints change.
//   - In SameZone with a limit new hints keep everybody within it, and earlier ones within 10 points more; little traffic crosses
//     zones.
//   - The same values give the same hints, in any order.
//   - A [Decision] says why hints are on or off.
//
// The page [PROMISES.md] has each in full, the test that holds it, the function that decides it, and what differs from Kubernetes.
//
// # Limits
//
// Weights say where traffic is expected to come from, and allocatable CPU is a guess. Hints are decided over all ports of a set
// together, as in Kubernetes: if some Pods lack a port, the endpoints of that port alone need not be proportional.
//
// Numbers are exact while weights add up to at most 2^40, which [Options.Validate] checks, and a set has at most 2^23 endpoints.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/hints/PROMISES.md
package hints
