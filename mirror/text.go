package mirror

import (
	"fmt"
	"slices"
	"strings"
)

// words are the names of an enum's values, in their order; first is the number of the first of them.
type words struct {
	kind  string
	first int
	names []string
}

var (
	reasonWords = words{kind: "Reason", first: 1, names: []string{
		"mirrored", "no-endpoints", "skip-mirror", "leader-election", "no-service", "service-has-selector",
	}}
	excessWords = words{kind: "Excess", names: []string{"leave-out", "more-slices"}}
	carryWords  = words{kind: "Carry", names: []string{"drop", "keep", "map"}}
	skipWords   = words{kind: "SkipReason", first: 1, names: []string{
		"invalid-address", "duplicate", "over-limit", "invalid-port", "all-ports", "ports-filtered", "dropped",
		"own-output", "other-address-type", "terminating",
	}}
)

func (w words) text(v uint8) string {
	if w.known(v) {
		return w.names[int(v)-w.first]
	}
	return fmt.Sprintf("%s(%d)", w.kind, v)
}

func (w words) known(v uint8) bool { return int(v) >= w.first && int(v) < w.first+len(w.names) }

func (w words) marshal(v uint8) ([]byte, error) {
	if !w.known(v) {
		return nil, fmt.Errorf("mirror: %s has no text: use one of the package's constants", w.text(v))
	}
	return []byte(w.text(v)), nil
}

// unmarshal leaves v as it is when the text is unknown.
func unmarshal[E ~uint8](w words, v *E, text []byte) error {
	i := slices.Index(w.names, string(text))
	if i < 0 {
		return fmt.Errorf("mirror: %q is no %s: use one of %s", text, w.kind, strings.Join(w.names, ", "))
	}
	*v = E(i + w.first)
	return nil
}

// String returns the value's word, such as "skip-mirror"; Reason(n) for an unknown value.
func (v Reason) String() string { return reasonWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Reason) MarshalText() ([]byte, error) { return reasonWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Reason) UnmarshalText(text []byte) error { return unmarshal(reasonWords, v, text) }

// String returns the value's word, such as "leave-out"; Excess(n) for an unknown value.
func (v Excess) String() string { return excessWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Excess) MarshalText() ([]byte, error) { return excessWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Excess) UnmarshalText(text []byte) error { return unmarshal(excessWords, v, text) }

// String returns the value's word, such as "drop"; Carry(n) for an unknown value.
func (v Carry) String() string { return carryWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Carry) MarshalText() ([]byte, error) { return carryWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Carry) UnmarshalText(text []byte) error { return unmarshal(carryWords, v, text) }

// String returns the reason's word, such as "over-limit"; SkipReason(n) for an unknown value.
func (v SkipReason) String() string { return skipWords.text(uint8(v)) }

// MarshalText returns the reason's word. An unknown value is an error.
func (v SkipReason) MarshalText() ([]byte, error) { return skipWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *SkipReason) UnmarshalText(text []byte) error { return unmarshal(skipWords, v, text) }
