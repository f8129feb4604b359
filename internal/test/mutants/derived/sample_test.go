package derived

import (
	"slices"
	"testing"
)

func TestSample(t *testing.T) {
	var all []Mutant
	for i := range 100 {
		all = append(all, Mutant{ID: i + 1})
	}
	ids := func(list []Mutant) (n []int) {
		for _, m := range list {
			n = append(n, m.ID)
		}
		return n
	}
	ten, again, twenty, other := ids(Sample(all, 10, 1)), ids(Sample(all, 10, 1)), ids(Sample(all, 20, 1)), ids(Sample(all, 10, 2))
	if len(ten) != 10 || !slices.IsSorted(ten) || !slices.Equal(ten, again) || slices.Equal(ten, other) {
		t.Errorf("%v %v %v", ten, again, other)
	}
	for _, id := range ten {
		if !slices.Contains(twenty, id) {
			t.Errorf("%d is in the smaller sample only", id)
		}
	}
	if everything := Sample(all, 1000, 1); len(everything) != 100 || all[0].ID != 1 {
		t.Errorf("%d drawn, first of all is %d", len(everything), all[0].ID)
	}
}
