package mirror_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
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

// Values are stored in slices, so that no later version may choose other ones.
func TestLabelValueStays(t *testing.T) {
	for text, want := range map[string]string{
		"orders-db":             "orders-db",
		strings.Repeat("x", 64): "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_ptqqbfy7mttqahup4wsrs47m",
	} {
		if got := mirror.LabelValue(text); got != want {
			t.Errorf("LabelValue(%q) = %q, want %q", text, got, want)
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

// Every value of a set's key and labels is shortened, not only the first one.
func TestFromSlicesShortensEveryLabel(t *testing.T) {
	long := func(c string) string { return strings.Repeat(c, 70) } // a name that is long, too, changes no key that is given
	labels := map[string]string{"a": long("a"), "b": long("b"), "c": "short", "d": long("d"), "e": mirror.LabelValue(long("e"))}
	set := slicer.Set{Namespace: "ns", Name: long("name"), ManagedBy: "copies.example.com", Key: labels, Labels: labels}
	in, err := mirror.FromSlices(set, nil, mirror.CopyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for k, v := range labels {
		want[k] = mirror.LabelValue(v)
	}
	if d := cmp.Diff(want, in.Set.Key); d != "" {
		t.Errorf("Key, -want +got:\n%s", d)
	}
	if d := cmp.Diff(want, in.Set.Labels); d != "" {
		t.Errorf("Labels, -want +got:\n%s", d)
	}
	if _, err := slicer.Compute(in, nil); err != nil {
		t.Error(err)
	}
}
