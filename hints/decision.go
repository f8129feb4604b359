package hints

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Decision is what was decided about hints for one address type, and why. The zero value is the
// decision of mode None. It shares no memory with the arguments of Assign.
type Decision struct {
	// AddressType is empty in the result of Assign. A caller that decides for several address types
	// fills it in.
	AddressType discoveryv1.AddressType
	// Mode is the Mode of the Options.
	Mode Mode
	// On says that ready endpoints get hints:
	//
	//   - In Proportional, On is true if Reason is Allocated.
	//   - In SameZone with a limit, it is true unless Reason is TooManyZones.
	//   - In SameNode and in SameZone without a limit, it is always true.
	//   - In all other modes, it is false.
	On bool
	// Reason says why hints are on or off. It is empty if the mode alone decides that.
	Reason Reason
	// Names are what Reason is about: Nodes, zones or the first addresses of endpoints, sorted. The
	// list has at most 10 names. It is nil if there is nothing to name. More is the number of names
	// that were left out.
	Names []string
	More  int
	// Opened is the number of slices that are rewritten for their hints: they are written only
	// because a hint in them must change.
	Opened int

	// The fields below are for Proportional and for SameZone with a limit. In other modes they are
	// zero.

	// Ready is the number of ready endpoints in all slices.
	Ready int
	// Zoneless is the number of ready endpoints without a zone. If it is not 0, the hints of
	// Proportional are off. In SameZone with a limit, these endpoints serve the zones that need
	// endpoints most.
	Zoneless int
	// Threshold is the percentage for which the minimums of Zones are computed:
	//
	//   - In Proportional, if hints are on, it is the first of Aim, Start and Stop that can be met.
	//     Stop is tried only if hints were on before. While Held is true, Threshold is Stop.
	//   - In Proportional, if hints are off, it is the threshold that could not be met: Stop if
	//     hints were on before, else Start.
	//   - In SameZone with a limit it is the limit.
	Threshold int
	// Held says that the hints of clean slices were good enough, so that no slice was rewritten for
	// its hints, although an allocation from scratch might be better. In SameZone with a limit, it
	// says that nothing changed, and that no endpoint is more than 10 percentage points above the
	// limit.
	Held bool
	// Zones has a row for each zone with a weight, sorted by name.
	Zones []Zone
}

// Zone is one row of a Decision.
type Zone struct {
	// Name is the name of the zone.
	Name string
	// Weight is the weight of the zone in the Weights, in their unit. The unit of NodeWeights is a
	// thousandth of a CPU.
	Weight int64
	// Minimum is the number of ready endpoints that the zone needs at the Decision's threshold: the
	// smallest x with 100*weight*ready <= (100+threshold)*x*total, where total is the sum of all
	// weights.
	Minimum int
	// Local is the number of ready endpoints in the zone.
	Local int
	// Hinted is the number of ready endpoints with a hint for the zone. It is 0 if hints are off.
	Hinted int
	// Overload is how far the traffic of an endpoint with a hint for the zone is expected to be
	// above its fair share. In SameZone with a limit, it is the overload of the busiest such
	// endpoint. It is negative if the endpoint gets less. It is 0 for a fair share, and if hints
	// are off.
	Overload Overload
}

// Overload is the difference between a load and the fair share, in hundredths of a percent, rounded
// up: 3334 for a third more, 0 for a fair share.
type Overload int64

// Reason says why hints are on or off. It is empty if the mode alone decides that.
type Reason string

const (
	// Allocated: in Proportional, each zone has its minimum. In SameZone with a limit, no endpoint
	// is above the limit. While Held is true, endpoints may be up to 10 percentage points above it.
	Allocated Reason = "Allocated"
	// TooFewEndpoints: there are fewer ready endpoints than zones.
	TooFewEndpoints Reason = "TooFewEndpoints"
	// TooManyZones: to stay within Options.Limit, some endpoint would need hints for more than
	// eight zones, which the API server does not accept.
	TooManyZones Reason = "TooManyZones"
	// OverThreshold: with this number of ready endpoints, some zone would be overloaded by more
	// than the threshold, however they are allocated.
	OverThreshold Reason = "OverThreshold"
	// SingleZone: only one zone has a weight.
	SingleZone Reason = "SingleZone"
	// NoWeights: no zone has a weight. Proportional then sets no hints, and SameZone with a limit
	// sets the hints of SameZone without a limit.
	NoWeights Reason = "NoWeights"
	// NodeWithoutZone: the named Nodes have no zone label.
	NodeWithoutZone Reason = "NodeWithoutZone"
	// NodeWithoutCPU: the named Nodes have no allocatable CPU.
	NodeWithoutCPU Reason = "NodeWithoutCPU"
	// EndpointWithoutZone: the named ready endpoints have no zone.
	EndpointWithoutZone Reason = "EndpointWithoutZone"
	// InvalidName: the API server refuses the named zones or nodes in a hint. Proportional then
	// sets no hints. SameZone and SameNode leave out those names.
	InvalidName Reason = "InvalidName"
)

// Same reports whether two decisions about one address type mean the same to a reader of events:
// their Mode, On and Reason are equal, whatever their numbers and names are. If a decision is not
// the same as the last one, it is worth an Event. Compare the first decision with the zero
// Decision, which stands for no hints.
func (d Decision) Same(other Decision) bool {
	return d.Mode == other.Mode && d.On == other.On && d.Reason == other.Reason
}

// nameLimit is the largest number of names in a Decision.
const nameLimit = 10

// firstNames returns the first nameLimit names, each once, and the number of elements of the list
// that have other names. It sorts the list in place.
func firstNames(list []string) (names []string, more int) {
	slices.Sort(list)
	for i, name := range list {
		switch {
		case i > 0 && name == list[i-1]:
		case len(names) == nameLimit:
			return names, len(list) - i
		default:
			names = append(names, name)
		}
	}
	return names, 0
}
