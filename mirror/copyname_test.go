package mirror_test

import (
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/mirror"
)

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
		rapid.StringMatching(`[a.-]{0,4}`), rapid.StringMatching(`[a-c]([.-]?[a-c]){0,3}`), rapid.StringMatching(`[a-b]{24}`),
		rapid.SampledFrom([]string{strings.Repeat("x", 63), strings.Repeat("x", 64), strings.Repeat("x", 130), strings.Repeat("x-", 120), "\xff", `" "`, "A"}),
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
