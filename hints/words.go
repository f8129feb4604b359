package hints

import "github.com/slicewright/slicewright/internal/words"

var (
	modeWords = words.Words[Mode]{Names: []string{
		"none", "given", "keep", "same-zone", "same-node", "proportional",
	}}
	reasonWords = words.Words[Reason]{Names: []string{
		"mode-decides", "allocated", "too-few-endpoints", "over-threshold", "single-zone", "no-weights",
		"node-without-zone", "node-without-cpu", "endpoint-without-zone", "invalid-name",
	}}
	scopeWords = words.Words[Scope]{Names: []string{
		"scope-local-only", "scope-none", "scope-all", "scope-zone", "scope-node", "scope-draining",
	}}
	hintUseWords = words.Words[HintUse]{Names: []string{
		"hints-not-read", "hints-obeyed", "hints-ignored", "no-voter", "no-hints", "place-unknown", "hint-missing",
		"not-named",
	}}
)

// String returns the value's word, such as "same-zone"; Mode(n) for an unknown value.
func (v Mode) String() string { return modeWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Mode) MarshalText() ([]byte, error) { return modeWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Mode) UnmarshalText(text []byte) error { return modeWords.Unmarshal(v, text) }

// String returns the value's word, such as "too-few-endpoints"; Reason(n) for an unknown value.
func (v Reason) String() string { return reasonWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Reason) MarshalText() ([]byte, error) { return reasonWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Reason) UnmarshalText(text []byte) error { return reasonWords.Unmarshal(v, text) }

// String returns the value's word, such as "scope-zone"; Scope(n) for an unknown value.
func (v Scope) String() string { return scopeWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v Scope) MarshalText() ([]byte, error) { return scopeWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *Scope) UnmarshalText(text []byte) error { return scopeWords.Unmarshal(v, text) }

// String returns the value's word, such as "hints-obeyed"; HintUse(n) for an unknown value.
func (v HintUse) String() string { return hintUseWords.Text(v) }

// MarshalText returns the value's word. An unknown value is an error.
func (v HintUse) MarshalText() ([]byte, error) { return hintUseWords.Marshal(v) }

// UnmarshalText takes a word that MarshalText returns. Another one is an error that lists the words, and changes nothing.
func (v *HintUse) UnmarshalText(text []byte) error { return hintUseWords.Unmarshal(v, text) }
