package mirror_test

import (
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/mirror"
)

// A text of up to 63 characters is its own label value, and each longer one gets a valid one. The
// label value of a label value is another one where the first is a short form: a text of 63
// characters that was chosen to look like the short form of a longer one does not get that
// one's value.
func TestLabelValues(t *testing.T) {
	for n := range 200 {
		text := strings.Repeat("x", n) + "-x"
		if got := mirror.LabelValue(text); n > 0 && len(validation.IsValidLabelValue(got)) > 0 ||
			(got == text) != (len(text) <= 63) {
			t.Errorf("LabelValue(%q) = %q", text, got)
		}
	}
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

func named(namespace, name string) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// Names are those of slices that are stored, so that no later version may choose other ones.
func TestCopyNameStays(t *testing.T) {
	long := strings.Repeat("x", 253)
	for _, row := range []struct {
		why, namespace, name, suffix, want string
	}{
		{"an ordinary copy", "shop", "web-x7k2q", "east", "web-x7k2q.shop.east"},
		{"a name with dots", "shop", "web.v1", "east", "web.v1.shop.east"},
		{"clusternet's collision, the one", "a-b", "c", "east", "c.a-b.east"},
		{"clusternet's collision, the other", "a", "b-c", "east", "b-c.a.east"},
		{"a suffix with a dot", "shop", "web", "eu.east", "web.dloqrcnkucgf7c6bumdqkksf"},
		{"no suffix", "shop", "web", "", "web.7xbvcm4ngoqxt3qezhlndctr"},
		{"no name at all", "", "", "", "f5pomvpzkwenqvbwh5n6yk67"},
		{"capital letters", "shop", "Web", "east", "2yulasctzxqx4p5zwynfeaq3"},
		{"the longest name", "shop", long, "east", long[:228] + ".oijgxpbn3xxktx26jfyfvsmr"},
		{"a suffix that looks like a hash", "shop", "web", "abcdefghijklmnopqrstuvwx", "web.ib4cbjsn6zhtkrzswyotubzc"},
	} {
		if got := mirror.CopyName(named(row.namespace, row.name), row.suffix); got != row.want {
			t.Errorf("%s: %s, want %s", row.why, got, row.want)
		}
	}
	if got, want := mirror.CopyName(nil, "east"), mirror.CopyName(&discoveryv1.EndpointSlice{}, "east"); got != want {
		t.Errorf("nil gives %s, an empty slice %s", got, want)
	}
}

// TestCopyNames: whatever the parts are, the name is a valid one, and two sources do not share it.
func TestCopyNames(t *testing.T) {
	type source struct{ namespace, name, suffix string }
	seen := map[string]source{}
	part := rapid.OneOf(
		rapid.StringMatching(`[a.-]{0,4}`), rapid.StringMatching(`[a-c]([.-]?[a-c]){0,3}`),
		rapid.StringMatching(`[a-b]{24}`),
		rapid.SampledFrom([]string{strings.Repeat("x", 63), strings.Repeat("x", 64), strings.Repeat("x", 130),
			strings.Repeat("x-", 120), "\xff", `" "`, "A"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		s := source{part.Draw(t, "namespace"), part.Draw(t, "name"), part.Draw(t, "suffix")}
		got := mirror.CopyName(named(s.namespace, s.name), s.suffix)
		if msgs := apivalidation.NameIsDNSSubdomain(got, false); len(msgs) > 0 || len(got) > 253 {
			t.Fatalf("%q gives %q: %v", s, got, msgs)
		}
		if other, ok := seen[got]; ok && other != s {
			t.Fatalf("%q and %q share %q", s, other, got)
		}
		seen[got] = s
		// A hashed name is no source of the same name again.
		if again := mirror.CopyName(named(s.namespace, got), s.suffix); again == got {
			t.Fatalf("the copy of %q has its name", got)
		}
	})
}
