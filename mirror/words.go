package mirror

import "github.com/slicewright/slicewright/internal/words"

var (
	reasonWords = words.Words[Reason]{First: 1, Names: []string{
		"mirrored", "no-endpoints", "skip-mirror", "leader-election", "no-service", "service-has-selector",
	}}
	excessWords = words.Words[Excess]{Names: []string{"leave-out", "more-slices"}}
	carryWords  = words.Words[Carry]{Names: []string{"drop", "keep", "map"}}
	skipWords   = words.Words[SkipReason]{First: 1, Names: []string{
		"invalid-address", "duplicate", "over-limit", "invalid-port", "all-ports", "no-ports", "ports-filtered", "dropped",
		"own-output", "other-address-type", "terminating",
	}}
)

// String returns the value's word, such as "skip-mirror"; Reason(n) for an unknown value.
func (v Reason) String() string { return reasonWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Reason) MarshalText() ([]byte, error) { return reasonWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Reason) UnmarshalText(text []byte) error { return reasonWords.Unmarshal(v, text) }

// String returns the value's word, such as "leave-out"; Excess(n) for an unknown value.
func (v Excess) String() string { return excessWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Excess) MarshalText() ([]byte, error) { return excessWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Excess) UnmarshalText(text []byte) error { return excessWords.Unmarshal(v, text) }

// String returns the value's word, such as "drop"; Carry(n) for an unknown value.
func (v Carry) String() string { return carryWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Carry) MarshalText() ([]byte, error) { return carryWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Carry) UnmarshalText(text []byte) error { return carryWords.Unmarshal(v, text) }

// String returns the reason's word, such as "over-limit"; SkipReason(n) for an unknown value.
func (v SkipReason) String() string { return skipWords.Text(v) }

// MarshalText returns the reason's word. An unknown value is an error.
func (v SkipReason) MarshalText() ([]byte, error) { return skipWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *SkipReason) UnmarshalText(text []byte) error { return skipWords.Unmarshal(v, text) }
