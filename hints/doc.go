// Package hints decides which zone or node may use an endpoint: the hints of EndpointSlices, from both sides.
//
// # Writers
//
// [Assign] decides the hints of all slices of one set and address type, and says what must change. [ModeFor] reads from
// a Service what is wanted. In modes SameZone and SameNode every endpoint is hinted to its own zone and node
// ([ForEndpoint]). Proportional gives each zone endpoints in proportion to a weight, by default the allocatable CPU of
// its Nodes ([NodeWeights]), so that traffic stays in its zone as far as no endpoint is overloaded.
//
// What Proportional promises:
//
//	H1  When on, every ready endpoint (nil counts as ready) has exactly one zone hint, to a zone with a weight, and
//	    others have none.
//	H2  When on, every zone has at least ceil(100*weight*n / ((100+T)*total)) of n endpoints: none is expected to be
//	    overloaded above T percent. T is the stop threshold; what has to be written is written for the aim if that can
//	    be met, else for the start threshold, and what is written anyway goes as far towards it as it reaches.
//	H3  On exactly when a feasible allocation exists: at start when hints were off, at stop when they were on.
//	H4  Fewest clean slices rewritten, then fewest endpoints out of their zone, then fewest hints changed. A hint that
//	    must change anyway, for nodes or for two zones, counts as changed. The last two are always exact. Which clean slices to open is exact while there are at most 5000 sets of the size needed (any 2
//	    of 100 slices, any 3 of 32, any of 14) and at most 16 zones. Beyond, the slice that helps most is opened until
//	    that is enough, and those that turn out not to be needed are closed again. Tests compare it with every allocation
//	    there is: in all cases of up to three endpoints in three zones and slices (SLICEWRIGHT_ENDPOINTS asks for more),
//	    and in cases of up to seven that are drawn.
//	H5  The same values give the same hints, in any order; a second call changes nothing; inputs are not changed.
//	H6  When off, there is no hint anywhere.
//	H7  The [Decision] says why, in a Reason and in a table of zones.
//
// There is no state: whether hints are on is read from the endpoints (some ready one holds a zone hint), and the
// allocation starts from the hints that are there. [Thresholds] keep it calm.
//
// An allocation for zones a, b and c with weights 1, 1 and 2, twelve endpoints, and a threshold of 20%:
//
//	      homes     minimum            hinted
//	a     ####      ceil(2.5)  = 3     ###        one lent to c
//	b     ####      ceil(2.5)  = 3     ####
//	c     ####      ceil(5.0)  = 5     ####+
//
// # Readers
//
// [Route] picks the endpoints of one service port that a reader at a place sends traffic to, by kube-proxy's rules: what
// Proportional hints to a zone is exactly what a reader there uses.
//
// # Deviations from Kubernetes 1.37
//
//  1. Arithmetic is exact. Kubernetes' floats turn hints off for five equal zones and six endpoints.
//  2. Minimums are met, or hints are off. Kubernetes stops at half an endpoint, and leaves clean slices alone that
//     together starve a zone.
//  3. As few endpoints as possible leave their zone: it is enough that no zone is overloaded above the aim. Kubernetes
//     moves endpoints until zones are proportional to half an endpoint, which an aim of 0 does where it divides evenly.
//  4. Hints of the last run count: nothing changes without need. Kubernetes starts from scratch in slices that are
//     written, in an order that depends on its maps.
//  5. An endpoint whose zone has no weight is lent to another zone. Kubernetes hints it to its own, which has no
//     readers.
//  6. An endpoint that is not ready never keeps a hint, and nil ready is ready.
//  7. One zone only has a reason of its own (SingleZone).
//  8. Thresholds can differ. The zero value is Kubernetes' 20% for all three.
//  9. An endpoint without zone turns hints off wherever it is. Kubernetes overlooks it in a slice that is not written.
//  10. Hints that another mode left behind are removed, node hints too. Kubernetes looks at zone hints only.
//
// # Limits
//
// Weights say where traffic is expected to come from: allocatable CPU is a guess. Taints and tolerations are not
// considered unless NodeOptions.Filter does. Autoscaling may interact: a zone with much traffic does not get more
// endpoints for it. Hints are decided over all ports of a set together, as in Kubernetes: where some Pods lack a port,
// the endpoints of that port alone need not be proportional.
//
// The package reads values and returns values: it keeps nothing, changes none of its inputs and never panics on nil.
package hints
