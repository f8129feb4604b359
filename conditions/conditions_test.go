package conditions_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
)

// TestNew is the writer's truth table, all eight rows of it.
func TestNew(t *testing.T) {
	type in struct{ ready, terminating, publishNotReady bool }
	for _, row := range []struct {
		why  string
		in   in
		want conditions.State
	}{
		{"a Pod that starts gets no traffic", in{false, false, false}, conditions.State{}},
		{"a ready Pod is ready and serves", in{true, false, false}, conditions.State{Ready: true, Serving: true}},
		{"a Pod that died while it was deleted is of no use", in{false, true, false}, conditions.State{Terminating: true}},
		{
			"older readers know ready alone, so it is false from the first moment of a deletion, while the probe succeeds",
			in{true, true, false},
			conditions.State{Serving: true, Terminating: true},
		},
		{"a peer must be found before it is ready", in{false, false, true}, conditions.State{Ready: true}},
		{"publishing takes nothing from a ready Pod", in{true, false, true}, conditions.State{Ready: true, Serving: true}},
		{
			"serving tells the truth about the probe even where ready does not",
			in{false, true, true},
			conditions.State{Ready: true, Terminating: true},
		},
		{
			"a peer that leaves must be found until it is gone",
			in{true, true, true},
			conditions.State{Ready: true, Serving: true, Terminating: true},
		},
	} {
		got := conditions.New(row.in.ready, row.in.terminating, row.in.publishNotReady)
		if got != row.want {
			t.Errorf("New(%+v) = %+v, want %+v: %s", row.in, got, row.want, row.why)
		}
	}
}

// TestOf is the reader's truth table for nil (vector 34), and cases that real readers got wrong.
func TestOf(t *testing.T) {
	yes, no := new(bool), new(bool)
	*yes = true
	for _, row := range []struct {
		why  string
		in   discoveryv1.EndpointConditions
		want conditions.State
	}{
		{
			"hand-made slices leave all three out and mean a plain endpoint (coredns, traefik and others took it for unready)",
			discoveryv1.EndpointConditions{},
			conditions.State{Ready: true, Serving: true},
		},
		{
			"nil serving is true and does not follow ready",
			discoveryv1.EndpointConditions{Ready: no},
			conditions.State{Serving: true},
		},
		{
			"nil serving is true for a terminating endpoint too, so that it can be fallen back on",
			discoveryv1.EndpointConditions{Ready: no, Terminating: yes},
			conditions.State{Serving: true, Terminating: true},
		},
		{
			"serving does not take ready away",
			discoveryv1.EndpointConditions{Ready: yes, Serving: no},
			conditions.State{Ready: true},
		},
		{
			"an endpoint that terminates and is published all the same is ready, not draining",
			discoveryv1.EndpointConditions{Ready: yes, Serving: no, Terminating: yes},
			conditions.State{Ready: true, Terminating: true},
		},
		{
			"nil terminating is false (one mesh takes it for true when ready is false)",
			discoveryv1.EndpointConditions{Ready: no, Serving: no},
			conditions.State{},
		},
		{
			"explicit values mean themselves",
			discoveryv1.EndpointConditions{Ready: no, Serving: yes, Terminating: yes},
			conditions.State{Serving: true, Terminating: true},
		},
	} {
		if got := conditions.Of(row.in); got != row.want {
			t.Errorf("Of(%s) = %+v, want %+v: %s", spell(row.in), got, row.want, row.why)
		}
	}
}

// TestConditionsAreExplicit: load balancers that take nil for false need all three (vector 33), and a decoder that
// writes through a pointer must hit nobody else's condition.
func TestConditionsAreExplicit(t *testing.T) {
	for _, s := range states() {
		c, other := s.Conditions(), s.Conditions()
		if c.Ready == nil || c.Serving == nil || c.Terminating == nil {
			t.Fatalf("%+v.Conditions() = %s, want no nil", s, spell(c))
		}
		if back := conditions.Of(c); back != s {
			t.Errorf("Of(%+v.Conditions()) = %+v, want it back", s, back)
		}
		*c.Ready, *c.Serving, *c.Terminating = !s.Ready, !s.Serving, !s.Terminating
		if now := conditions.Of(c); now == s || conditions.Of(other) != s {
			t.Errorf("%+v.Conditions() shares its pointers: %s and %s", s, spell(c), spell(other))
		}
		if d := cmp.Diff(s.Conditions(), other); d != "" {
			t.Errorf("%+v.Conditions() changed between calls:\n%s", s, d)
		}
	}
}

func TestServesWhileTerminating(t *testing.T) {
	for _, row := range []struct {
		why  string
		in   conditions.State
		want bool
	}{
		{"drains and still answers", conditions.State{Serving: true, Terminating: true}, true},
		{"its probe fails", conditions.State{Terminating: true}, false},
		{"not ready for a reason other than a deletion", conditions.State{Serving: true}, false},
		{"nothing at all", conditions.State{}, false},
	} {
		if got := row.in.ServesWhileTerminating(); got != row.want {
			t.Errorf("%+v.ServesWhileTerminating() = %t, want %t: %s", row.in, got, row.want, row.why)
		}
	}
}

// states are all eight.
func states() []conditions.State {
	var all []conditions.State
	for i := range 8 {
		all = append(all, conditions.State{Ready: i&1 != 0, Serving: i&2 != 0, Terminating: i&4 != 0})
	}
	return all
}

// spell writes conditions as ready, serving, terminating: + is true, - is false, . is nil.
func spell(c discoveryv1.EndpointConditions) string {
	var text []byte
	for _, b := range []*bool{c.Ready, c.Serving, c.Terminating} {
		switch {
		case b == nil:
			text = append(text, '.')
		case *b:
			text = append(text, '+')
		default:
			text = append(text, '-')
		}
	}
	return string(text)
}
