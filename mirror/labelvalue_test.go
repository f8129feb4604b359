package mirror_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/mirror"
)

// A text of up to 63 characters is its own label value, and each longer one gets a valid value of its own.
func TestLabelValueLengths(t *testing.T) {
	seen := map[string]string{}
	for n := range 200 {
		for _, last := range []string{"a", "b"} {
			text := strings.Repeat("x", n) + last
			got := mirror.LabelValue(text)
			if msgs := validation.IsValidLabelValue(got); len(msgs) > 0 || len(text) <= 63 && got != text {
				t.Fatalf("LabelValue(%q) = %q: %v", text, got, msgs)
			}
			if other, ok := seen[got]; ok {
				t.Fatalf("%q and %q both have the label value %q", text, other, got)
			}
			seen[got] = text
		}
	}
	for _, awkward := range []string{"-", ".", "_"} {
		text := strings.Repeat("x", 30) + strings.Repeat(awkward, 40) + "x"
		if got := mirror.LabelValue(text); len(validation.IsValidLabelValue(got)) > 0 {
			t.Errorf("LabelValue(%q) = %q", text, got)
		}
	}
}

// The label value of a label value is another one where the first is a short form: a text of 63 characters that somebody
// chose to look like the short form of a longer one does not get that one's value.
func TestLabelValueOfShortForms(t *testing.T) {
	long := strings.Repeat("x", 100)
	seen := map[string]bool{}
	for value := mirror.LabelValue(long); len(seen) < 1000; value = mirror.LabelValue(value) {
		if seen[value] || len(value) != 63 {
			t.Fatalf("%q is the label value of two texts, or not of 63 characters", value)
		}
		seen[value] = true
	}
	short := mirror.LabelValue(long)
	for _, c := range []struct {
		why, text string
		same      bool // the text is its own value
	}{
		{"a short form of any hash", short[:39] + strings.Repeat("a", 24), false},
		{"letters and digits of the alphabet", short[:39] + "abcdefghijklmnopqrstuvwxyz234567"[8:], false},
		{"no underscore, as in every DNS name", short[:38] + "-" + short[39:], true},
		{"a capital letter", short[:62] + "A", true},
		{"a digit that hashes do not have", short[:62] + "1", true},
		{"a digit that hashes do not have", short[:62] + "8", true},
		{"one character fewer", short[1:], true},
	} {
		if got := mirror.LabelValue(c.text); len(c.text) > 63 || (got == c.text) != c.same {
			t.Errorf("%s: LabelValue(%q) = %q", c.why, c.text, got)
		}
	}
}
