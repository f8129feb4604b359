// Package hints decides which zone or node each endpoint should serve. Package slicer decides the
// hints of the slices of a plan, so most programs only fill in Input.Hints. A program that plans
// slices itself, or a webhook that changes them, calls Assign:
//
//	o := hints.Options{Mode: hints.Auto, Weights: hints.NodeWeights(nodes, nil)}
//	list, decision, err := hints.Assign(o, endpoints)
//	for i, h := range list {
//		endpoints[i].Hints = h
//	}
//	for _, z := range decision.Zones {
//		fmt.Println(z.Zone, z.Weight, z.Ready, z.Hinted)
//	}
//
// All functions are pure: they change no argument, and have no state. Whether hints are on is read
// from the endpoints: they are on if a ready endpoint has a hint for a zone.
//
// # Modes
//
// [PreferSameZone] and [PreferSameNode] are the values of spec.trafficDistribution. They ignore
// load: if a zone has few endpoints, these are overloaded. With [Options].Limit, endpoints of other
// zones then get a hint for it as well. Five endpoints in the zones a, a, b, b and c, with equal
// traffic from each zone:
//
//	hints                       busiest endpoint   traffic across zones
//	none                        +0%                67%
//	PreferSameZone              +67%               0%
//	PreferSameZone, Limit: 50   +39%               22%
//
// [Auto] is the value of the annotation service.kubernetes.io/topology-mode. Each zone gets
// endpoints in proportion to its weight, and as few endpoints as possible serve another zone than
// their own. A zone needs at least its share of the endpoints divided by 1.2, rounded up, so that
// no endpoint is expected to get more than 1.2 times its share of the traffic:
//
//	zone  weight  endpoints  share   minimum   hints
//	a     1       4          3       3         3, and one endpoint serves zone c
//	b     1       4          3       3         4
//	c     2       4          6       5         4 and the one of zone a
//
// Hints are decided over all ports of a Service, as in Kubernetes. Weights say where traffic
// probably comes from, and allocatable CPU is an estimate. At most 2^23 endpoints are supported.
//
// [PROMISES.md] has all promises, their tests, and the differences from Kubernetes.
//
// # Reasons of a Decision
//
// TopologyAwareHintsEnabled, InsufficientNumberOfEndpoints, NodesReadyInOneZoneOnly,
// InsufficientNodeInfo, NoZoneSpecified and MinAllocationExceedsOverloadThreshold mean what they
// mean in Kubernetes' Events. TooManyZones, NoWeights, InvalidName and ByMode are of this package.
//
//   - TopologyAwareHintsEnabled: each zone gets enough endpoints, or no endpoint is above the limit.
//   - InsufficientNumberOfEndpoints: there are fewer ready endpoints than zones.
//   - NodesReadyInOneZoneOnly: only one zone has a weight.
//   - InsufficientNodeInfo: Nodes have no zone, or no allocatable CPU.
//   - NoZoneSpecified: ready endpoints have no zone.
//   - MinAllocationExceedsOverloadThreshold: some zone would be overloaded, however endpoints are
//     allocated.
//   - TooManyZones: with a limit, some endpoint would need hints for more than eight zones, which the
//     API server does not accept.
//   - NoWeights: no zone has a weight. Auto sets no hints, and PreferSameZone has no limit.
//   - InvalidName: the API server refuses names of zones or nodes in a hint. Auto sets no hints, the
//     other modes leave these names out.
//   - ByMode: the mode alone decides.
//
// With a limit, hints are on also with InsufficientNodeInfo, NoZoneSpecified, InvalidName and
// NoWeights, and the Message names what is wrong.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/hints/PROMISES.md
package hints
