// Package hints decides which zone or node each endpoint should serve. It computes the hints of
// EndpointSlices. It is for writers. Readers call package hints/routing, and package hints/forecast
// shows what effect hints would have. Most writers call services.Plan instead, which decides hints.
//
// # What to call
//
//	I want                                               I call
//	the hints that a Service asks for                    ModeOf
//	the hints of all slices of a set and address type    Assign
//	the hint of one endpoint, in SameZone and SameNode   HintOf
//	the weights of zones, from Nodes                     NodeWeights
//	to know whether an event of a Node matters           NodesMatter
//	to know which sets new weights affect                NeedsSync
//	to know whether a decision is worth an Event         Decision.Same
//
// All functions are safe for concurrent use. They never change their inputs, and have no state.
// They read from the slices whether hints are on: hints are on if a ready endpoint has a zone hint.
// New hints are based on the existing ones.
//
// # Modes
//
// [SameZone] and [SameNode] are what spec.trafficDistribution of a Service asks for: hints for
// each endpoint's own zone, and with SameNode also for its node.
//
// [Proportional] is what the annotation service.kubernetes.io/topology-mode: Auto asks for. It
// gives each zone a share of the endpoints in proportion to a weight, by default the allocatable
// CPU of its Nodes. Traffic stays in its zone, and no endpoint is expected to exceed its fair share
// of the traffic by more than a threshold. [Thresholds] say when hints come and go. The minimum of
// a zone is the smallest number of endpoints that the threshold allows. At 20%, it is the zone's
// share divided by 1.2, rounded up:
//
//	zone  weight  endpoints  share   minimum   hints
//	a     1       4          3       3         3, and one endpoint is assigned to zone c
//	b     1       4          3       3         4
//	c     2       4          6       5         4 and the one of zone a
//
// SameZone alone ignores load: if a zone has few endpoints, they are overloaded. With
// [Options].Limit, no endpoint is expected to carry more than Limit percent above the mean. If the
// endpoints of a zone would carry more, endpoints of other zones also get a hint for it. Existing
// hints may exceed the limit by 10 percentage points. Five endpoints in the zones a, a, b, b and c,
// with equal traffic from each zone:
//
//	hints                 busiest endpoint   traffic across zones
//	none                  +0%                67%
//	SameZone              +67%               0%
//	SameZone, Limit: 50   +39%               22%
//
// The slices of a plan are written one after the other, so the limit may be exceeded for a moment
// after a large change.
//
// # Promises
//
// While Proportional hints are on, each ready endpoint has exactly one zone hint, as few endpoints
// as possible are assigned to another zone, and no zone is expected to exceed the stop threshold. A
// [Decision] says why hints are on or off. The same values give the same hints, in any order.
// [PROMISES.md] has all promises, their tests, and the differences from Kubernetes.
//
// # Limits
//
// Weights say where traffic probably comes from, and allocatable CPU is an estimate. As in
// Kubernetes, hints are decided over all ports of a set: if some Pods do not have a port, the
// endpoints of that one port may be out of proportion. The sum of all weights is at most 2^40,
// which [Options.Validate] checks, and a set has at most 2^23 endpoints.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/hints/PROMISES.md
package hinting
