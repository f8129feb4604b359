package slicer

var (
	missingNodeWords    = words{kind: "MissingNode", names: []string{"skip-without-node", "publish-without-zone"}}
	unresolvedPortWords = words{kind: "UnresolvedPort", names: []string{"publish-resolved", "skip-unresolved"}}
	skipWords           = words{kind: "SkipReason", first: 1, names: []string{
		"nil-pod", "other-namespace", "not-selected", "pod-finished", "no-address", "not-an-ip", "no-address-of-type",
		"node-missing", "port-left-out", "port-missing",
	}}
)

// String returns the value's word, such as "skip-without-node"; MissingNode(n) for an unknown value.
func (v MissingNode) String() string { return missingNodeWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v MissingNode) MarshalText() ([]byte, error) { return missingNodeWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *MissingNode) UnmarshalText(text []byte) error {
	return unmarshalInto(missingNodeWords, v, text)
}

// String returns the value's word, such as "publish-resolved"; UnresolvedPort(n) for an unknown value.
func (v UnresolvedPort) String() string { return unresolvedPortWords.text(uint8(v)) }

// MarshalText returns the value's word. An unknown value is an error.
func (v UnresolvedPort) MarshalText() ([]byte, error) { return unresolvedPortWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *UnresolvedPort) UnmarshalText(text []byte) error {
	return unmarshalInto(unresolvedPortWords, v, text)
}

// String returns the reason's word, such as "no-address"; SkipReason(n) for an unknown value.
func (v SkipReason) String() string { return skipWords.text(uint8(v)) }

// MarshalText returns the reason's word. An unknown value is an error.
func (v SkipReason) MarshalText() ([]byte, error) { return skipWords.marshal(uint8(v)) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *SkipReason) UnmarshalText(text []byte) error { return unmarshalInto(skipWords, v, text) }
