package service

import "github.com/slicewright/slicewright/internal/words"

var (
	reasonWords = words.Words[Reason]{First: 1, Names: []string{"publishable", "no-service", "external-name", "no-selector"}}
	skipWords   = words.Words[SkipReason]{First: 1, Names: []string{
		"nil-pod", "other-namespace", "not-selected", "pod-finished", "no-address", "not-an-ip", "no-address-of-type",
		"node-missing", "port-left-out", "port-missing",
		"addresses-unread",
	}}
)

// String returns the reason's word, such as "no-address"; SkipReason(n) for an unknown value.
func (v SkipReason) String() string { return skipWords.Text(v) }

// MarshalText returns the reason's word. An unknown value is an error.
func (v SkipReason) MarshalText() ([]byte, error) { return skipWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *SkipReason) UnmarshalText(text []byte) error { return skipWords.Unmarshal(v, text) }

// String returns the reason's word, such as "no-selector"; Reason(n) for an unknown value.
func (v Reason) String() string { return reasonWords.Text(v) }

// MarshalText returns the reason's word. An unknown value is an error.
func (v Reason) MarshalText() ([]byte, error) { return reasonWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Reason) UnmarshalText(text []byte) error { return reasonWords.Unmarshal(v, text) }
