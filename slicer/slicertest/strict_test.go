package slicertest

import (
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// TestNobodyMoves has a row for each way in which an endpoint may be elsewhere than it was.
func TestNobodyMoves(t *testing.T) {
	k := suiteOf(t, Options{Max: 2, Also: []string{"nobody-moves"}}, idle)
	of := func(name string, addresses ...string) *discoveryv1.EndpointSlice {
		s := newSlice(name)
		s.Namespace, s.Endpoints = namespace, nil
		for _, a := range addresses {
			s.Endpoints = append(s.Endpoints, discoveryv1.Endpoint{Addresses: []string{a}})
		}
		return s
	}
	type list []*discoveryv1.EndpointSlice
	for _, row := range []struct {
		why      string
		was, now list
		breach   bool
	}{
		{"it stays", list{of("a", "10.0.0.1")}, list{of("a", "10.0.0.1", "10.0.0.2")}, false},
		{"it goes", list{of("a", "10.0.0.1")}, list{of("a", "10.0.0.2")}, false},
		{"it moves", list{of("a", "10.0.0.1")}, list{of("a"), of("b", "10.0.0.1")}, true},
		{"it was in two slices", list{of("a", "10.0.0.1"), of("b", "10.0.0.1")}, list{of("a", "10.0.0.1")}, false},
		{"its slice was above the maximum", list{of("a", "10.0.0.1", "10.0.0.2", "10.0.0.3")},
			list{of("a", "10.0.0.1", "10.0.0.2"), of("b", "10.0.0.3")}, false},
	} {
		r := k.newReplay(newWorld(), k.NewLog(false))
		r.start.slices = row.was
		for _, s := range row.now {
			if _, err := r.api.server.Create(s); err != nil {
				t.Fatal(err)
			}
		}
		if r.judgeMoves(); broken(r, "nobody-moves") != row.breach {
			t.Errorf("%s: %v", row.why, r.log.Causes())
		}
	}
}

// TestNilServing: a nil serving condition is true of an endpoint that terminates, as readers take it, and else what ready is.
func TestNilServing(t *testing.T) {
	for _, c := range []struct{ ready, terminating, serving bool }{
		{true, false, true}, {false, false, false}, {true, true, true}, {false, true, true},
	} {
		e := discoveryv1.Endpoint{Conditions: discoveryv1.EndpointConditions{Ready: &c.ready, Terminating: &c.terminating}}
		if *plain(&e).Conditions.Serving != c.serving {
			t.Errorf("%+v: want serving %t", c, c.serving)
		}
	}
}
