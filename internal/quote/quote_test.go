package quote

import (
	"fmt"
	"testing"
)

func TestText(t *testing.T) {
	for _, s := range []string{"", "-", "a b", "a\tb", "a\nb", `"`, `\`, "{", "}", "[", "]", ",", "|", "=", "+", "#",
		"1..2", "\x00", "\u200b"} {
		if got := Text(s); got != fmt.Sprintf("%q", s) {
			t.Errorf("%q is printed as %s", s, got)
		}
	}
	for _, s := range []string{"a", "10.0.0.1", "fd00::1", "a-b", "ü", "kubernetes.io/name"} {
		if got := Text(s); got != s {
			t.Errorf("%q is printed as %s", s, got)
		}
	}
}
