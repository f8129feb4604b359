package conditions_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/conditions"
)

// triple draws conditions as spell writes them, nil included.
func triple() *rapid.Generator[string] { return rapid.StringMatching(`[-+.]{3}`) }

// TestOfNeverDependsOnHowDefaultsAreSpelled: replacing nil by its default changes nothing a reader sees.
func TestOfNeverDependsOnHowDefaultsAreSpelled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := triple().Draw(t, "conditions")
		spelled := []byte(text)
		for i, meant := range []byte("++-") {
			if spelled[i] == '.' {
				spelled[i] = meant
			}
		}
		if got, want := state(text), state(string(spelled)); got != want {
			t.Fatalf("Of(%s) = %+v, Of(%s) = %+v", text, got, spelled, want)
		}
	})
}

// TestUsableIsAllOfTheBestKind compares Usable with a twin that reads as the rule does.
func TestUsableIsAllOfTheBestKind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(triple(), 0, 8).Draw(t, "endpoints")
		want := only(in, func(s conditions.State) bool { return s.Ready })
		if len(want) == 0 {
			want = only(in, func(s conditions.State) bool { return s.Serving && s.Terminating })
		}
		if got := conditions.Usable(in, state); !slices.Equal(got, want) {
			t.Fatalf("Usable(%q) = %q, want %q", in, got, want)
		}
	})
}

func only(in []string, keep func(conditions.State) bool) []string {
	var out []string
	for _, text := range in {
		if keep(state(text)) {
			out = append(out, text)
		}
	}
	return out
}
