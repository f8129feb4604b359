package slicer

import "github.com/slicewright/slicewright/internal/words"

var (
	packingWords = words.Words[Packing]{Names: []string{"in-place", "compact"}}
	invalidWords = words.Words[Invalid]{Names: []string{"set-aside", "fail", "pass"}}
	verbWords    = words.Words[Verb]{First: 1, Names: []string{"create", "update", "delete"}}
	reasonWords  = words.Words[Reason]{First: 1, Names: []string{
		"endpoints-added", "endpoints-removed", "endpoints-changed", "duplicates-removed", "ports-changed",
		"hints-changed", "labels-changed", "annotations-changed", "owners-changed", "oversize-split",
		"placeholder-wanted", "nothing-left", "address-type-gone", "owner-stale",
		"dissolved", "compacted",
	}}
	ignoreWords = words.Words[IgnoreReason]{First: 1, Names: []string{"foreign", "dying"}}
)

// String returns the value's word, such as "in-place"; Packing(n) for an unknown value.
func (v Packing) String() string { return packingWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Packing) MarshalText() ([]byte, error) { return packingWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Packing) UnmarshalText(text []byte) error { return packingWords.Unmarshal(v, text) }

// String returns the value's word, such as "set-aside"; Invalid(n) for an unknown value.
func (v Invalid) String() string { return invalidWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Invalid) MarshalText() ([]byte, error) { return invalidWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Invalid) UnmarshalText(text []byte) error { return invalidWords.Unmarshal(v, text) }

// String returns the value's word, such as "create"; Verb(n) for an unknown value.
func (v Verb) String() string { return verbWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Verb) MarshalText() ([]byte, error) { return verbWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Verb) UnmarshalText(text []byte) error { return verbWords.Unmarshal(v, text) }

// String returns the value's word, such as "endpoints-added"; Reason(n) for an unknown value.
func (v Reason) String() string { return reasonWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Reason) MarshalText() ([]byte, error) { return reasonWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Reason) UnmarshalText(text []byte) error { return reasonWords.Unmarshal(v, text) }

// String returns the value's word, such as "foreign"; IgnoreReason(n) for an unknown value.
func (v IgnoreReason) String() string { return ignoreWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v IgnoreReason) MarshalText() ([]byte, error) { return ignoreWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *IgnoreReason) UnmarshalText(text []byte) error { return ignoreWords.Unmarshal(v, text) }
