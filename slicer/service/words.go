package service

import "github.com/slicewright/slicewright/internal/words"

var (
	reasonWords = words.Words[Reason]{First: 1, Names: []string{"publishable", "no-service", "external-name", "no-selector"}}
)

// String returns the reason's word, such as "no-selector"; Reason(n) for an unknown value.
func (v Reason) String() string { return reasonWords.Text(v) }

// MarshalText returns the reason's word. An unknown value is an error.
func (v Reason) MarshalText() ([]byte, error) { return reasonWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Reason) UnmarshalText(text []byte) error { return reasonWords.Unmarshal(v, text) }
