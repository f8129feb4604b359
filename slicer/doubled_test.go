package slicer_test

import (
	"slices"
	"testing"
)

// TestDoubledBesideTheRightOne: of two copies in one slice one is just what is wanted, and the other sorts before it. The
// slice is written with the right one, wherever it stands.
func TestDoubledBesideTheRightOne(t *testing.T) {
	const unready = "{!ready,!serving,!terminating}"
	in := input(t, "want\nhttp:80 | 10.0.0.1"+unready+" 10.0.0.2"+unready)
	in.Existing = planned(t, in).After()
	held := in.Existing[0]
	held.UID, held.ResourceVersion = "uid-1", "1"
	other := *held.Endpoints[1].DeepCopy()
	*other.Conditions.Ready = true
	held.Endpoints = append(held.Endpoints, other)
	for range 2 {
		steps := planned(t, in).Steps
		if len(steps) != 1 || len(steps[0].New.Endpoints) != 2 || *steps[0].New.Endpoints[1].Conditions.Ready {
			t.Errorf("want one write, of endpoints that are not ready:\n%v", steps)
		}
		slices.Reverse(held.Endpoints)
	}
}
