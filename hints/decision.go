package hints

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Decision says what was decided about hints for one address type, and why. The zero value is that of mode None. It
// shares no memory with what it was made from.
type Decision struct {
	// AddressType is left empty by Assign. A caller that decides each address type apart fills it in.
	AddressType discoveryv1.AddressType
	// Mode is that of the Options.
	Mode Mode
	// On says that hints are put: in Proportional where Reason is Allocated, in SameZone with a limit
	// unless it is TooManyZones, always in SameNode and in SameZone without a limit, else never.
	On bool
	// Reason says why hints are on or off; empty if the mode alone says so.
	Reason Reason
	// Names are what Reason is about: Nodes, zones or the first addresses of endpoints, sorted, at most 10 of them.
	// nil: nothing to name. More is how many were left out.
	Names []string
	More  int
	// Opened is the number of slices that must be written only because of their hints.
	Opened int

	// All that follows is for Proportional and for SameZone with a limit only, and zero in other modes.

	// Ready is the number of ready endpoints, over all slices. It, Zoneless, Threshold, Held and Zones are for Proportional and for
	// SameZone with a limit, and zero in all other modes, which count nothing.
	Ready int
	// Zoneless is how many of these have no zone. While there are any, the hints of Proportional are off; with a limit they
	// serve the zones that lack endpoints most.
	Zoneless int
	// Threshold is the percentage that the minimums of Zones are computed for: the lowest of aim, start and, where hints
	// were on before, stop that can be met; while Held, stop; and where hints are off, the one that could not be met.
	// In SameZone it is the limit.
	Threshold int
	// Held says that the hints of clean slices were good enough, so that none was opened, although an allocation from
	// scratch might be better. With a limit: nothing changed, and no endpoint is more than 10 points above the limit.
	Held bool
	// Zones has a row for each zone with a weight, sorted by name.
	Zones []Zone
}

// Zone is one row of a Decision.
type Zone struct {
	// Name is the zone's.
	Name string
	// Weight is that of the Weights, in their unit: of NodeWeights thousandths of a CPU.
	Weight int64
	// Minimum is how many ready endpoints the zone needs at the Decision's threshold: the least x with
	// 100*weight*ready <= (100+threshold)*x*total.
	Minimum int
	// Homes is how many ready endpoints are in the zone: it is their home zone.
	Homes int
	// Hinted is how many ready endpoints are hinted to the zone. 0 where hints are off.
	Hinted int
	// Overload is by how much an endpoint hinted to the zone is expected to exceed its fair share, with a limit the busiest of
	// them; negative when it gets less. 0 where hints are off.
	Overload Overload
}

// Overload is in hundredths of a percent, rounded up: 3334 for a third. 0 is a fair share.
type Overload int64

// Reason says why hints are on or off. It is empty if the mode alone says so.
type Reason string

const (
	// Allocated: every zone has its minimum; with a limit, no endpoint is above it, or while Held by at most 10 points.
	Allocated Reason = "Allocated"
	// TooFewEndpoints: fewer ready endpoints than zones.
	TooFewEndpoints Reason = "TooFewEndpoints"
	// TooManyZones: within Options.Limit some endpoint would have to be hinted to more than eight zones, which the API
	// documentation of EndpointHints does not allow.
	TooManyZones Reason = "TooManyZones"
	// OverThreshold: with so many ready endpoints, some zone would be overloaded above the threshold, however they are
	// allocated.
	OverThreshold Reason = "OverThreshold"
	// SingleZone: only one zone has a weight.
	SingleZone Reason = "SingleZone"
	// NoWeights: no zone has a weight. Proportional then puts no hints, and SameZone with a limit puts
	// those of SameZone without one.
	NoWeights Reason = "NoWeights"
	// NodeWithoutZone: the named Nodes have no zone label.
	NodeWithoutZone Reason = "NodeWithoutZone"
	// NodeWithoutCPU: the named Nodes have no allocatable CPU.
	NodeWithoutCPU Reason = "NodeWithoutCPU"
	// EndpointWithoutZone: the named ready endpoints have no zone.
	EndpointWithoutZone Reason = "EndpointWithoutZone"
	// InvalidName: the API server refuses the named zones or nodes in a hint. Proportional then puts no hints; SameZone
	// and SameNode leave out those names.
	InvalidName Reason = "InvalidName"
)

// Same reports whether two decisions about one address type say the same to people: their Mode, On and Reason are equal,
// whatever their numbers and names are. A decision that is not the same as the last one is worth an event. For the first
// decision, compare with the zero Decision, which stands for no hints.
func (d Decision) Same(other Decision) bool {
	return d.Mode == other.Mode && d.On == other.On && d.Reason == other.Reason
}

// nameLimit is how many names are kept.
const nameLimit = 10

// firstNames sorts the list in place. It returns the first nameLimit names, each once, and how many elements have other names.
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
