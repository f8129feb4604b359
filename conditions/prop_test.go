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

// TestNewIsMonotone: a Pod that becomes ready loses nothing, one that is deleted gains no traffic, and publishing
// touches ready alone.
func TestNewIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ready, terminating := rapid.Bool().Draw(t, "ready"), rapid.Bool().Draw(t, "terminating")
		publish := rapid.Bool().Draw(t, "publishNotReady")
		s := conditions.New(ready, terminating, publish)
		if s.Ready && !conditions.New(true, terminating, publish).Ready {
			t.Fatal("becoming ready took ready away")
		}
		if !s.Ready && conditions.New(ready, true, publish).Ready {
			t.Fatal("a deletion made an endpoint ready")
		}
		published := conditions.New(ready, terminating, true)
		if !published.Ready || published.Serving != s.Serving || published.Terminating != s.Terminating {
			t.Fatalf("publishing made %+v of %+v", published, s)
		}
		if s.Ready && !publish && (!s.Serving || s.Terminating) {
			t.Fatalf("%+v is ready without serving, or while terminating", s)
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

// TestWritersAndReadersAgree: what a writer derives, a reader understands.
func TestWritersAndReadersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := conditions.New(rapid.Bool().Draw(t, "ready"), rapid.Bool().Draw(t, "terminating"),
			rapid.Bool().Draw(t, "publishNotReady"))
		c := s.Conditions()
		if got := conditions.Of(*c.DeepCopy()); got != s {
			t.Fatalf("a reader sees %+v in %s, the writer meant %+v", got, spell(c), s)
		}
	})
}
