package hinting

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
	// Allocation is what Proportional, and SameZone with a limit, counted. It is zero in the other
	// modes.
	Allocation Allocation
}

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
