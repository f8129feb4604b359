package dedup

import "github.com/slicewright/slicewright/internal/words"

var (
	lossWords = words.Words[LossReason]{Names: []string{
		"older-slice", "terminating", "not-ready", "not-serving", "later-name", "later-fields",
	}}
	problemWords = words.Words[ProblemReason]{Names: []string{
		"nil-slice", "unnamed", "no-service", "same-name", "unknown-address-type", "no-address", "bad-address",
		"wrong-family", "no-number", "bad-number", "same-port", "no-port", "more-addresses", "bad-option",
	}}
	portMatchWords = words.Words[PortMatch]{Names: []string{
		"no-ports", "no-name", "no-protocol", "match-number", "match-any", "match-bad",
	}}
)

// String returns the value's word, such as "older-slice"; LossReason(n) for an unknown value.
func (v LossReason) String() string { return lossWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v LossReason) MarshalText() ([]byte, error) { return lossWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *LossReason) UnmarshalText(text []byte) error { return lossWords.Unmarshal(v, text) }

// String returns the value's word, such as "wrong-family"; ProblemReason(n) for an unknown value.
func (v ProblemReason) String() string { return problemWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v ProblemReason) MarshalText() ([]byte, error) { return problemWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *ProblemReason) UnmarshalText(text []byte) error { return problemWords.Unmarshal(v, text) }

// String returns the value's word, such as "match-number"; PortMatch(n) for an unknown value.
func (v PortMatch) String() string { return portMatchWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v PortMatch) MarshalText() ([]byte, error) { return portMatchWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *PortMatch) UnmarshalText(text []byte) error { return portMatchWords.Unmarshal(v, text) }
