package conformance

import "testing"

// TestRoll lets a world roll and checks what must hold for slicewright whatever happens: it moves nobody and leaves
// nobody out between two writes. Compact leaves fewer slices.
func TestRoll(t *testing.T) {
	tallies, err := Roll(1, 500, 60, small(ByReference), small(BySlicewright), small(Recommended))
	if err != nil {
		t.Fatal(err)
	}
	ref, ours, compact := tallies[0], tallies[1], tallies[2]
	t.Logf("\n%+v\n%+v\n%+v", ref, ours, compact)
	if ours.Moved+ours.Gone > 0 {
		t.Errorf("the reference: %+v\nslicewright: %+v", ref, ours)
	}
	if compact.Slices > ours.Slices || compact.Gone > 0 {
		t.Errorf("slicewright: %+v\nas recommended: %+v", ours, compact)
	}
}

// small gives slices a maximum that makes many of few Pods.
func small(side Side) Side {
	return func(c *Cluster) ([]Write, error) {
		c.Max = 8
		return side(c)
	}
}
