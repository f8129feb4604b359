package slicer

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
	packingWords     = words{kind: "Packing", names: []string{"in-place", "compact"}}
	identityWords    = words{kind: "Identity", names: []string{"by-address", "by-target-uid"}}
	oversizeWords    = words{kind: "Oversize", names: []string{"keep-oversize", "split-oversize"}}
	placeholderWords = words{kind: "Placeholder", names: []string{"placeholder-when-empty", "placeholder-never"}}
	namesWords       = words{kind: "Names", names: []string{"generated", "stable"}}
	invalidWords     = words{kind: "Invalid", names: []string{"set-aside", "fail", "pass"}}
	verbWords        = words{kind: "Verb", first: 1, names: []string{"create", "update", "delete"}}
	reasonWords      = words{kind: "Reason", first: 1, names: []string{
		"endpoints-added", "endpoints-removed", "endpoints-changed", "duplicates-removed", "ports-changed",
		"hints-changed", "labels-changed", "annotations-changed", "owners-changed", "oversize-split",
		"placeholder-wanted", "nothing-left", "address-type-gone", "owner-stale",
		"dissolved", "compacted",
	}}
	ignoreWords = words{kind: "IgnoreReason", first: 1, names: []string{"foreign", "dying"}}
	rejectWords = words{kind: "RejectReason", first: 1, names: []string{
		"invalid-address", "invalid-hostname", "invalid-node-name", "invalid-hints", "unwanted-address-type",
		"differing-duplicate",
	}}
)

func (w words) text(v uint8) string {
	if i := int(v) - w.first; i >= 0 && i < len(w.names) {
		return w.names[i]
	}
	return fmt.Sprintf("%s(%d)", w.kind, v)
}

func (w words) marshal(v uint8) ([]byte, error) {
	if i := int(v) - w.first; i < 0 || i >= len(w.names) {
		return nil, fmt.Errorf("slicer: %s has no text: use one of the package's constants", w.text(v))
	}
	return []byte(w.text(v)), nil
}

func (w words) unmarshal(text []byte) (uint8, error) {
	i := slices.Index(w.names, string(text))
	if i < 0 {
		return 0, fmt.Errorf("slicer: %q is no %s: use one of %s", text, w.kind, strings.Join(w.names, ", "))
	}
	return uint8(i + w.first), nil
}

// unmarshalInto leaves v as it is when the text is unknown.
func unmarshalInto[E ~uint8](w words, v *E, text []byte) error {
	n, err := w.unmarshal(text)
	if err == nil {
		*v = E(n)
	}
	return err
}

// String returns the value's word, such as "in-place"; Packing(n) for an unknown value.
func (v Packing) String() string { return packingWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Packing) MarshalText() ([]byte, error) { return packingWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Packing) UnmarshalText(text []byte) error { return unmarshalInto(packingWords, v, text) }

// String returns the value's word, such as "by-target-uid"; Identity(n) for an unknown value.
func (v Identity) String() string { return identityWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Identity) MarshalText() ([]byte, error) { return identityWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Identity) UnmarshalText(text []byte) error { return unmarshalInto(identityWords, v, text) }

// String returns the value's word, such as "split-oversize"; Oversize(n) for an unknown value.
func (v Oversize) String() string { return oversizeWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Oversize) MarshalText() ([]byte, error) { return oversizeWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Oversize) UnmarshalText(text []byte) error { return unmarshalInto(oversizeWords, v, text) }

// String returns the value's word, such as "placeholder-never"; Placeholder(n) for an unknown value.
func (v Placeholder) String() string { return placeholderWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Placeholder) MarshalText() ([]byte, error) { return placeholderWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Placeholder) UnmarshalText(text []byte) error {
	return unmarshalInto(placeholderWords, v, text)
}

// String returns the value's word, such as "stable"; Names(n) for an unknown value.
func (v Names) String() string { return namesWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Names) MarshalText() ([]byte, error) { return namesWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Names) UnmarshalText(text []byte) error { return unmarshalInto(namesWords, v, text) }

// String returns the value's word, such as "set-aside"; Invalid(n) for an unknown value.
func (v Invalid) String() string { return invalidWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Invalid) MarshalText() ([]byte, error) { return invalidWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Invalid) UnmarshalText(text []byte) error { return unmarshalInto(invalidWords, v, text) }

// String returns the value's word, such as "create"; Verb(n) for an unknown value.
func (v Verb) String() string { return verbWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Verb) MarshalText() ([]byte, error) { return verbWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Verb) UnmarshalText(text []byte) error { return unmarshalInto(verbWords, v, text) }

// String returns the value's word, such as "endpoints-added"; Reason(n) for an unknown value.
func (v Reason) String() string { return reasonWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Reason) MarshalText() ([]byte, error) { return reasonWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Reason) UnmarshalText(text []byte) error { return unmarshalInto(reasonWords, v, text) }

// String returns the value's word, such as "foreign"; IgnoreReason(n) for an unknown value.
func (v IgnoreReason) String() string { return ignoreWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v IgnoreReason) MarshalText() ([]byte, error) { return ignoreWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *IgnoreReason) UnmarshalText(text []byte) error { return unmarshalInto(ignoreWords, v, text) }

// String returns the value's word, such as "invalid-address"; RejectReason(n) for an unknown value.
func (v RejectReason) String() string { return rejectWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v RejectReason) MarshalText() ([]byte, error) { return rejectWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *RejectReason) UnmarshalText(text []byte) error { return unmarshalInto(rejectWords, v, text) }
