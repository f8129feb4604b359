// Package words is the text of the small integers that the public packages use for choices and reasons: one word for each
// value, the constant's name in kebab case, such as in-place for InPlace. Each type keeps String, MarshalText and
// UnmarshalText of its own, a line each, so that its documentation shows them.
package words

import (
	"fmt"
	"slices"
	"strings"
)

// Words are the words of an enum's values. It is read-only once it is made.
type Words[E ~uint8] struct {
	// First is the value of the first word; 1 where the zero value means nothing and has no word.
	First uint8
	// Names are the words, in the order of the values.
	Names []string
}

// Known reports whether v has a word.
func (w Words[E]) Known(v E) bool {
	return uint8(v) >= w.First && int(v)-int(w.First) < len(w.Names)
}

// Text returns the word of v, and the type's name and the number, as in Packing(7), where it has none.
func (w Words[E]) Text(v E) string {
	if !w.Known(v) {
		_, kind := typeName[E]()
		return fmt.Sprintf("%s(%d)", kind, uint8(v))
	}
	return w.Names[uint8(v)-w.First]
}

// Marshal returns the word of v as new bytes, or an error where it has none.
func (w Words[E]) Marshal(v E) ([]byte, error) {
	if !w.Known(v) {
		pkg, _ := typeName[E]()
		return nil, fmt.Errorf("%s: %s has no text: use one of the package's constants", pkg, w.Text(v))
	}
	return []byte(w.Text(v)), nil
}

// Unmarshal sets v to the value of a word. Any other text, empty or in capitals, is an error that lists the words, and
// leaves v as it is.
func (w Words[E]) Unmarshal(v *E, text []byte) error {
	i := slices.Index(w.Names, string(text))
	if i < 0 {
		pkg, kind := typeName[E]()
		return fmt.Errorf("%s: %q is no %s: use one of %s", pkg, text, kind, strings.Join(w.Names, ", "))
	}
	*v = E(i) + E(w.First)
	return nil
}

// typeName returns the names of the package that declares E and of E itself.
func typeName[E ~uint8]() (pkg, kind string) {
	pkg, kind, _ = strings.Cut(fmt.Sprintf("%T", E(0)), ".")
	return pkg, kind
}
