// Package hints decides which zone or node may use an endpoint: the hints of EndpointSlices, for writers and for readers.
//
// A writer calls
//
//   - [ModeOf] for the hints that a Service asks for, and [Assign] for the hints of all slices of one set and address type;
//   - [HintOf] for the hint of one endpoint, in the modes that look at nothing else;
//   - [NodeWeights] for the weights of zones, [NodesMatter] at an event of a Node, and [NeedsSync] to learn which sets need new
//     hints for new weights;
//   - [Decision.Same] to learn whether a decision is worth an event.
//
// A reader calls
//
//   - [Route] for the endpoints that it sends traffic to, and [Failover] for those that come next when these fail;
//   - [CandidateOf] and [PolicyOf] for what both must know of an endpoint and of a Service.
//
// All functions are safe for concurrent use. They change none of their inputs, keep nothing, and never panic on nil, except
// for a nil candidate function (Route, Failover).
//
// # Modes
//
// SameZone and SameNode are what spec.trafficDistribution of a Service asks for: every endpoint is hinted to its own zone, and
// node. They are the future of hints. Proportional is topology mode Auto, an annotation that Kubernetes has deprecated: it gives
// each zone endpoints in proportion to a weight, by default the allocatable CPU of its Nodes, so that traffic stays in its zone
// as long as no endpoint is overloaded.
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
// there. [Thresholds] keep it calm.
//
// # Readers
//
// Route chooses by kube-proxy's rules: what Proportional hints to a zone is exactly what a reader there uses. Families are
// decided apart, because kube-proxy runs once for each.
//
// # Guarantees
//
// H1 to H4 are about mode Proportional:
//
//   - H1 one hint: if hints are on, every ready endpoint (nil counts as ready) has exactly one zone hint, to a zone with a
//     weight, and all other endpoints have none.
//   - H2 no overload: if hints are on, every zone has at least ceil(100*weight*n / ((100+T)*total)) of n ready endpoints, so
//     that no zone is expected to be overloaded by more than T percent. T is the stop threshold. Slices that must be opened
//     are written for the aim if it can be met, else for the start threshold. Slices that are written anyway go as far
//     towards it as they reach.
//   - H3 on and off: hints are on exactly if a feasible allocation exists, at the start threshold if hints were off, at the
//     stop threshold if they were on.
//   - H4 few changes: for the slices that are written, the fewest endpoints are lent. Few hints change, and none if all can
//     stay; a hint that must change anyway, because it is for nodes or for two zones, counts as changed. Clean slices are
//     opened one after the other, the one that helps most first, until they are enough. Their number is the least, or one more,
//     in every case that was tried, but slices can be made for which it is two more.
//   - H5 deterministic and pure: the same values give the same hints, in any order; a second call changes nothing; inputs
//     are not changed.
//   - H6 off is off: if hints are off, no endpoint has one.
//   - H7 reasons: the [Decision] says why hints are on or off, in a Reason, in names and in a table of zones.
//
// The tests that hold them. The oracle compares Assign with every allocation there is, in drawn cases of up to seven endpoints in
// three zones and slices. With -v it says how often more slices are opened, and more hints changed, than the least. Package
// allocate has oracles of its own, which try every set of slices and every allocation:
//
//	H1  TestGuaranteesOfProportional  TestScenarios/readiness
//	H2  TestGuaranteesOfProportional  TestChurn
//	H3  TestGuaranteesOfProportional  TestScenarios/hysteresis
//	H4  TestOracleOnDrawnCases
//	H5  TestGuaranteesOfProportional  TestGuaranteesOfOtherModes
//	H6  TestGuaranteesOfOtherModes  TestScenarios/off
//	H7  TestDecisionSaysWhy  TestSame  TestNeedsSyncForetellsChanges
//
// # Deviations from Kubernetes 1.37
//
// Each line names the test that shows it.
//
//  1. Arithmetic is exact, so that equal zones are equal; Kubernetes' floating-point numbers turn hints off for five equal
//     zones and six endpoints. (TestScenarios/balanced)
//  2. Minimums are met or hints are off, so that no zone is starved; Kubernetes accepts half an endpoint less, and looks at
//     each clean slice alone where several together starve a zone. (TestChurn)
//  3. As few endpoints as possible leave their zone: it is enough that no zone is overloaded above the aim. Kubernetes
//     moves endpoints until zones are proportional to half an endpoint, as an aim of 0 does where it divides evenly.
//     (TestScenarios/thresholds-of-zero)
//  4. The hints of the last run count, so that nothing changes without need; Kubernetes starts from scratch in slices that
//     are written, in the order of its maps. (TestScenarios/lent)
//  5. An endpoint whose zone has no weight is lent to another zone, because its own zone has no Node that could read the
//     hint; Kubernetes hints it to its own zone. (TestScenarios/lent)
//  6. An endpoint that is not ready never keeps a hint and nil means ready, because readers use hints of ready endpoints
//     only; Kubernetes keeps hints in slices that it does not write. (TestScenarios/readiness)
//  7. A single zone has a reason of its own, SingleZone, so that people are not told to add endpoints.
//     (TestScenarios/off)
//  8. The thresholds to start, to stop and to aim at can differ, so that hints do not come and go with single Pods; the
//     zero value is Kubernetes' 20% for all three. (TestScenarios/hysteresis)
//  9. An endpoint without zone turns hints off in whichever slice it is, because no zone would use it; Kubernetes overlooks
//     it in a slice that is not written. (TestScenarios/off)
//  10. Hints that another mode left behind are removed, hints for nodes too, because readers obey these first; Kubernetes
//     looks at hints for zones only. (TestScenarios/readiness)
//
// # Limits
//
// Weights say where traffic is expected to come from, and allocatable CPU is a guess. Taints and tolerations are not
// considered unless NodeOptions.Filter does so. Autoscaling may interact: a zone with much traffic does not get more
// endpoints for it. Hints are decided over all ports of a set together, as in Kubernetes: if some Pods lack a port, the
// endpoints of that port alone need not be proportional.
//
// Numbers are exact while weights add up to at most 2^40, which [Options.Validate] checks, and a set has at most 2^23 endpoints.
// The file [testdata/spec.md] explains numbers such as S21 and P13 in tests and scenarios.
//
// [testdata/spec.md]: https://github.com/slicewright/slicewright/blob/main/testdata/spec.md
package hints
