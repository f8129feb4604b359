package hints

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
