package dedup

import "github.com/slicewright/slicewright/internal/words"

var (
	addressesWords = words.Words[Addresses]{Names: []string{"first-address", "all-addresses"}}
	anyPortWords   = words.Words[AnyPort]{Names: []string{"drop-any-port", "keep-any-port"}}
	freshnessWords = words.Words[Freshness]{Names: []string{"by-resource-version", "by-trigger-time"}}
	lossWords      = words.Words[LossReason]{Names: []string{
		"older-slice", "terminating", "not-ready", "not-serving", "later-name", "later-fields",
	}}
	problemWords = words.Words[ProblemReason]{Names: []string{
		"nil-slice", "unnamed", "no-service", "same-name", "unknown-address-type", "no-address", "bad-address",
		"wrong-family", "no-number", "bad-number", "same-port", "no-port", "bad-option",
	}}
	portMatchWords = words.Words[PortMatch]{Names: []string{
		"no-ports", "no-name", "no-protocol", "match-number", "match-any", "match-bad",
	}}
)

// String returns the value's word, such as "first-address"; Addresses(n) for an unknown value.
func (v Addresses) String() string { return addressesWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Addresses) MarshalText() ([]byte, error) { return addressesWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Addresses) UnmarshalText(text []byte) error { return addressesWords.Unmarshal(v, text) }

// String returns the value's word, such as "drop-any-port"; AnyPort(n) for an unknown value.
func (v AnyPort) String() string { return anyPortWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v AnyPort) MarshalText() ([]byte, error) { return anyPortWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *AnyPort) UnmarshalText(text []byte) error { return anyPortWords.Unmarshal(v, text) }

// String returns the value's word, such as "by-resource-version"; Freshness(n) for an unknown value.
func (v Freshness) String() string { return freshnessWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Freshness) MarshalText() ([]byte, error) { return freshnessWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Freshness) UnmarshalText(text []byte) error { return freshnessWords.Unmarshal(v, text) }

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
