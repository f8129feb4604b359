package mirror

import "github.com/slicewright/slicewright/internal/words"

var (
	skipWords = words.Words[SkipReason]{First: 1, Names: []string{
		"invalid-address", "duplicate", "over-limit", "invalid-port", "all-ports", "no-ports", "ports-filtered", "dropped",
		"own-output", "other-address-type", "terminating", "invalid-hostname", "invalid-node-name", "invalid-hints",
	}}
)

// String returns the reason's word, such as "over-limit"; SkipReason(n) for an unknown value.
func (v SkipReason) String() string { return skipWords.Text(v) }

// MarshalText returns the reason's word. An unknown value is an error.
func (v SkipReason) MarshalText() ([]byte, error) { return skipWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *SkipReason) UnmarshalText(text []byte) error { return skipWords.Unmarshal(v, text) }
