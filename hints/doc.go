// Package hints decides which zone or node each endpoint should serve. Package slicer uses it for a
// plan, so most programs only fill in Input.Hints. A program without a plan calls Assign:
//
//	o := hints.Options{Mode: hints.Auto, Weights: hints.NodeWeights(nodes, nil)}
//	list, decision, err := hints.Assign(o, endpoints)
//
// # Modes
//
// [PreferSameZone] and [PreferSameNode] are the values of spec.trafficDistribution. They ignore
// load. With [Options].Limit, a zone with too few endpoints also uses endpoints of other zones. For
// example, with equal traffic from the zones of five endpoints a, a, b, b and c:
//
//	hints                       busiest endpoint   cross-zone traffic
//	none                        +0%                67%
//	PreferSameZone              +67%               0%
//	PreferSameZone, Limit: 50   +39%               22%
//
// [Auto] is the value of the annotation service.kubernetes.io/topology-mode. The weight of a zone
// says how much traffic it sends. Each zone gets enough endpoints for its weight, so that none is
// expected to get more than 1.2 times its fair share of the traffic. As few endpoints as possible
// are assigned to another zone.
//
// [PROMISES.md] has all promises, their tests, and the differences from Kubernetes.
//
// # Reasons of a Decision
//
//   - TopologyAwareHintsEnabled: hints are on.
//   - InsufficientNumberOfEndpoints: there are fewer ready endpoints than zones.
//   - NodesReadyInOneZoneOnly: only one zone has a weight.
//   - InsufficientNodeInfo: Nodes have no zone, or no allocatable CPU.
//   - NoZoneSpecified: ready endpoints have no zone.
//   - NoNodeSpecified: ready endpoints have no node, with PreferSameNode.
//   - MinAllocationExceedsOverloadThreshold: some zone would be overloaded.
//   - TooManyZones: an endpoint would need hints for more than eight zones.
//   - NoWeights: no zone has a weight.
//   - InvalidName: the API server refuses the name of a zone or Node in a hint.
//   - ByMode: the mode alone decides.
//
// InsufficientNodeInfo, NoZoneSpecified, NoWeights and InvalidName stop only Auto's hints.
//
// [PROMISES.md]: https://github.com/slicewright/slicewright/blob/main/hints/PROMISES.md
package hints
