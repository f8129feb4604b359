package hints

// Mode says where the hints of endpoints come from. The zero value is None.
type Mode uint8

const (
	// None writes no hint anywhere and removes those that are there.
	None Mode = iota
	// Given writes the hints that the wanted endpoints carry.
	Given
	// Keep leaves hints to another writer: an endpoint that stays keeps its hints, and they are no reason to write.
	// When its slice is written for another reason, hints that the API server refuses, or that name no zone, are dropped.
	Keep
	// SameZone hints every ready endpoint to its own zone (spec.trafficDistribution PreferSameZone or PreferClose).
	SameZone
	// SameNode hints every ready endpoint to its own node and zone (spec.trafficDistribution PreferSameNode).
	SameNode
	// Proportional gives zones endpoints in proportion to their allocatable CPU (topology mode Auto).
	Proportional
)
