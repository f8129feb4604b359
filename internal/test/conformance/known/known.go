// Package known compares what a test kit finds in other people's code with what it is known to find
// there.
package known

import (
	"fmt"
	"slices"
	"testing"
)

// Weakness is a cause that code breaks a guarantee by, a history that shows it, not always if
// chance decides, and the reason.
type Weakness [3]string

// Exactly fails on a cause that is not known, and on one that its history does not show any more.
// find returns what the kit finds, in all histories or in the one to replay, and cause the cause of
// a finding.
func Exactly[F fmt.Stringer](t *testing.T, known []Weakness, find func(replay string) ([]F, error),
	cause func(F) string) {
	t.Helper()
	found := func(replay string) []F {
		list, err := find(replay)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, f := range found("") {
		if !slices.ContainsFunc(known, func(w Weakness) bool { return w[0] == cause(f) }) {
			t.Error(f)
		}
	}
	for _, w := range known {
		met := false
		at := w[0]
		replay := w[1]
		for range 100 { // chance
			met = met || slices.ContainsFunc(found(replay), func(f F) bool { return cause(f) == at })
		}
		if !met {
			t.Errorf("%q is not met any more in %q", at, replay)
		}
	}
}
