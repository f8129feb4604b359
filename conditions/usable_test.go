package conditions_test

import (
	"slices"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// parse reads what spell writes.
func parse(text string) discoveryv1.EndpointConditions {
	var c discoveryv1.EndpointConditions
	for i, p := range []**bool{&c.Ready, &c.Serving, &c.Terminating} {
		if text[i] != '.' {
			value := text[i] == '+'
			*p = &value
		}
	}
	return c
}

func state(text string) conditions.State { return conditions.Of(parse(text)) }

func TestUsable(t *testing.T) {
	for _, row := range []struct {
		why      string
		in, want []string
	}{
		{"no endpoints, none usable", nil, nil},
		{"all nil is ready", []string{"..."}, []string{"..."}},
		{"not ready and not terminating is unusable, though serving is nil", []string{"-.."}, nil},
		{"serving by default while it terminates", []string{"-.+"}, []string{"-.+"}},
		{"ready is enough", []string{"+-."}, []string{"+-."}},
		{"ready while it terminates is ready", []string{"+-+"}, []string{"+-+"}},
		{"all endpoints drain: use them rather than none", []string{"-++", "-++"}, []string{"-++", "-++"}},
		{"one ready endpoint, and draining ones get nothing", []string{"-++", "++-", "-++"}, []string{"++-"}},
		{"a dead endpoint is never used, ready or not around", []string{"--+", "---"}, nil},
		{"only draining ones that serve are fallen back on", []string{"--+", "-++", "---"}, []string{"-++"}},
		{"the order of the input stays", []string{"+-+", "...", "---", "++-"}, []string{"+-+", "...", "++-"}},
	} {
		in := slices.Clone(row.in)
		got := conditions.Usable(in, state)
		if !slices.Equal(got, row.want) || (got == nil) != (row.want == nil) {
			t.Errorf("Usable(%q) = %q, want %q: %s", row.in, got, row.want, row.why)
		}
		if !slices.Equal(in, row.in) {
			t.Errorf("Usable(%q) changed its input to %q", row.in, in)
		}
		for i := range got {
			got[i] = "changed"
		}
		if !slices.Equal(in, row.in) {
			t.Errorf("Usable(%q) returned its input's memory", row.in)
		}
	}
}
