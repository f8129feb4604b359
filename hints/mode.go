package hints

import "fmt"

// Mode says where the hints of endpoints come from. The zero value is None.
type Mode uint8

const (
	// None writes no hint anywhere and removes those that are there.
	None Mode = iota
	// Given writes the hints that the wanted endpoints carry.
	Given
	// Keep leaves hints to somebody else: an endpoint that stays keeps those it has, and they are no reason to write.
	Keep
	// SameZone hints every ready endpoint to its own zone (spec.trafficDistribution PreferSameZone or PreferClose).
	SameZone
	// SameNode hints every ready endpoint to its own node and zone (spec.trafficDistribution PreferSameNode).
	SameNode
	// Proportional gives zones endpoints in proportion to their allocatable CPU (topology mode Auto).
	Proportional
)

var modeNames = [...]string{"None", "Given", "Keep", "SameZone", "SameNode", "Proportional"}

func (m Mode) known() bool { return int(m) < len(modeNames) }

// String returns the constant's name, and Mode(9) for an unknown value.
func (m Mode) String() string {
	if !m.known() {
		return fmt.Sprintf("Mode(%d)", uint8(m))
	}
	return modeNames[m]
}

// MarshalText returns the constant's name, and an error for an unknown value.
func (m Mode) MarshalText() ([]byte, error) {
	if !m.known() {
		return nil, fmt.Errorf("hints: unknown mode %d", uint8(m))
	}
	return []byte(modeNames[m]), nil
}

// UnmarshalText reads a constant's name, letter by letter. Any other text, empty included, is an error and leaves m as
// it was.
func (m *Mode) UnmarshalText(text []byte) error {
	for i, name := range modeNames {
		if string(text) == name {
			*m = Mode(i)
			return nil
		}
	}
	return fmt.Errorf("hints: unknown mode %q: want one of %q", text, modeNames)
}
