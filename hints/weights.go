package hints

// Weights say how much traffic each zone is expected to send, in any unit: only their ratio counts. The zero value is
// that nothing is known.
type Weights struct {
	// Zones has the weight of each zone, 1 to MaxWeight. A zone that is missing gets no endpoints.
	Zones map[string]int64
	// Problems are Nodes that make the weights unfit for use: while there are any, Proportional puts no hints. Sorted by
	// Node. Weights of a caller's own have none.
	Problems []Problem
	// Tolerated are Nodes that were left out with the caller's consent (NodeOptions.Tolerate). Sorted by Node.
	Tolerated []Problem
}

// Problem is a Node that cannot be counted.
type Problem struct {
	Node   string
	Reason Reason // NodeWithoutZone or NodeWithoutCPU
	// MilliCPU is what the Node could allocate, 0 where that is what is missing.
	MilliCPU int64
}
