package hints

import "fmt"

// Reason says why hints are on or off. The zero value is ModeDecides.
type Reason uint8

const (
	// ModeDecides: the mode alone says so.
	ModeDecides Reason = iota
	// Allocated: every zone has its minimum.
	Allocated
	// TooFewEndpoints: fewer ready endpoints than zones.
	TooFewEndpoints
	// OverThreshold: with so many ready endpoints, some zone would be overloaded above the threshold, however they are
	// allocated. Best and Next say more.
	OverThreshold
	// SingleZone: only one zone has a weight.
	SingleZone
	// NoWeights: no zone has a weight.
	NoWeights
	// NodeWithoutZone: the named Nodes have no zone label.
	NodeWithoutZone
	// NodeWithoutCPU: the named Nodes have no allocatable CPU.
	NodeWithoutCPU
	// EndpointWithoutZone: the named ready endpoints have no zone.
	EndpointWithoutZone
	// InvalidName: the API server refuses the named zones or nodes in a hint. Proportional then puts no hints; SameZone
	// and SameNode leave out those names.
	InvalidName
)

var reasonNames = [...]string{"ModeDecides", "Allocated", "TooFewEndpoints", "OverThreshold", "SingleZone", "NoWeights",
	"NodeWithoutZone", "NodeWithoutCPU", "EndpointWithoutZone", "InvalidName"}

// String returns the constant's name, fit for the reason of an event, and Reason(99) for an unknown value.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return fmt.Sprintf("Reason(%d)", uint8(r))
	}
	return reasonNames[r]
}

// MarshalText returns the constant's name, and an error for an unknown value.
func (r Reason) MarshalText() ([]byte, error) {
	if int(r) >= len(reasonNames) {
		return nil, fmt.Errorf("hints: unknown reason %d", uint8(r))
	}
	return []byte(reasonNames[r]), nil
}

// UnmarshalText reads a constant's name, letter by letter. Any other text, empty included, is an error and leaves r as
// it was.
func (r *Reason) UnmarshalText(text []byte) error {
	for i, name := range reasonNames {
		if string(text) == name {
			*r = Reason(i)
			return nil
		}
	}
	return fmt.Errorf("hints: unknown reason %q: want one of %q", text, reasonNames)
}
