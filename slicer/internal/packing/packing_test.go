package packing_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
	. "github.com/slicewright/slicewright/slicer/internal/packing"
)

// TestPlaceSmall compares Place with the best of all plans on every problem of these sizes.
func TestPlaceSmall(t *testing.T) {
	nightly.Slow(t)
	n := 0
	for _, size := range []problems{
		{max: 1, groups: 2, slices: 4, unassigned: 2},
		{max: 2, groups: 2, slices: 3, unassigned: 5},
		{max: 3, groups: 2, slices: 2, unassigned: 7},
		{max: 4, groups: 1, slices: 3, unassigned: 9},
		{max: 3, groups: 2, slices: 4, unassigned: 3, costs: true},
		{max: 2, groups: 3, slices: 2, unassigned: 3},
		{max: 4, groups: 1, slices: 3, unassigned: 9, full: 500},
		{max: 3, groups: 2, slices: 2, unassigned: 5, full: 297},
	} {
		size.each(func(p Problem) {
			n++
			comparePlace(t, p, nil)
			p.NoCreates = true
			comparePlace(t, p, nil)
		})
	}
	t.Logf("%d problems", n)
}

// TestJoinSmall compares Join with the best of all ways to dissolve and place on every problem of
// these sizes.
func TestJoinSmall(t *testing.T) {
	nightly.Slow(t)
	n := 0
	for _, size := range []problems{
		{max: 2, groups: 2, slices: 4, unassigned: 2, costs: true},
		{max: 3, groups: 2, slices: 3, unassigned: 3, costs: true},
		{max: 3, groups: 1, slices: 4, unassigned: 4, costs: true},
		{max: 2, groups: 3, slices: 3, unassigned: 1, costs: true},
	} {
		size.each(func(p Problem) {
			for up := 1; up <= p.Max; up++ {
				n++
				compareJoin(t, p, up)
			}
		})
	}
	t.Logf("%d problems", n)
}

// TestLarger does the same on larger problems that are drawn. SLICEWRIGHT_CASES and
// SLICEWRIGHT_SEED ask for more or for others.
func TestLarger(t *testing.T) {
	cases, seed := nightly.Cases(t, 20000), nightly.Seed(t, 1)
	r := rand.New(rand.NewSource(seed))
	for n := range cases {
		p, overlaps := drawn(r, 2+n*5/cases)
		comparePlace(t, p, overlaps)
		if joined := Join(p, p.Max); p.NoCreates && len(joined.Dissolved)+len(joined.Compacted) > 0 {
			t.Fatalf("endpoints leave their current slices: %s\n%+v", describe(p, overlaps), joined)
		}
		p.NoCreates = false
		compareJoin(t, p, 1+r.Intn(p.Max))
		if t.Failed() {
			t.Fatalf("case %d of seed %d", n, seed)
		}
	}
}

func comparePlace(t *testing.T, p Problem, overlaps []Overlap) {
	t.Helper()
	p = afterSurplus(p)
	have := Place(p, func() []Overlap { return append([]Overlap(nil), overlaps...) })
	best := bestPlan(p, overlaps)
	if !p.NoCreates {
		if want := best.deals(p, overlaps); !reflect.DeepEqual(have, want) {
			why := "as cheap as the best plan, but other slices are re-used, or filled first"
			if c, _ := apply(p, Joined{Problem: p}, have).cost(); c != best.cost {
				why = fmt.Sprintf("costs %+v, the best plan %+v", c, best.cost)
			}
			t.Fatalf("%s\n%s\nhave %#v\nwant %#v", why, describe(p, overlaps), have, want)
		}
		return
	}
	o := apply(p, Joined{Problem: p}, have)
	c, _ := o.cost()
	if err := o.check(p, 0); err != nil || c.unplaced != best.cost.unplaced ||
		c.writes > best.cost.writes+len(p.Unassigned)-1 {
		t.Fatalf("%s\n%#v costs %+v, the best plan %+v, %v", describe(p, overlaps), have, c, best.cost, err)
	}
}

func compareJoin(t *testing.T, p Problem, dissolveUpTo int) {
	t.Helper()
	p = afterSurplus(p)
	joined := Join(p, dissolveUpTo)
	deals := Place(joined.Problem, func() []Overlap { return nil })
	o := apply(p, joined, deals)
	c, moves := o.cost()
	have := joinedCost{c.writes, c.slices, moves}
	want := leastJoined(p, dissolveUpTo)
	if moves == 0 {
		alone, _ := apply(p, Joined{Problem: p}, Place(p, func() []Overlap { return nil })).cost()
		if len(joined.Compacted) > 0 && c == alone {
			t.Fatalf("%s\nup to %d: slices %v are written for nothing", describe(p, nil), dissolveUpTo,
				joined.Compacted)
		}
	}
	if err := o.check(p, dissolveUpTo); err != nil || have != want {
		t.Fatalf("%s\nup to %d: %#v, %#v\nhave %+v, want %+v, %v", describe(p, nil), dissolveUpTo, joined, deals, have,
			want, err)
	}
}

func describe(p Problem, overlaps []Overlap) string {
	return fmt.Sprintf("%#v\noverlaps %#v", p, overlaps) // which tells nil from an empty list
}

// TestNoCreates shows which group gets the one reusable slice where nothing can be created. Place
// promises no more than a bound on the writes then, so that the reference implementation has no
// say.
func TestNoCreates(t *testing.T) {
	clean := func(group int, stay ...int) (list []Slice) {
		for _, n := range stay {
			list = append(list, Slice{Group: group, Ports: group, Stay: n})
		}
		return list
	}
	for _, row := range []struct {
		why        string
		max        int
		unassigned []int
		clean      []Slice
		gets       int
	}{
		{"the first of those that place as many by it", 2, []int{2, 4}, nil, 0},
		{"the one that places more by it", 2, []int{1, 4}, nil, 1},
		{"the one that spares more clean slices by it", 4, []int{8, 4}, slices.Concat(clean(0, 1, 1, 1), clean(1, 2, 2)), 1},
	} {
		p := Problem{Limits{Max: row.max, NoCreates: true}, row.unassigned,
			append(row.clean, Slice{Group: None, Ports: None})}
		for g, deal := range Place(p, func() []Overlap { return nil }) {
			if has := len(deal.Reused) > 0; has != (g == row.gets) {
				t.Errorf("%s: group %d re-uses %v", row.why, g, deal.Reused)
			}
		}
	}
}

// TestKeep: a written slice comes down to the maximum, unless nothing can be created.
func TestKeep(t *testing.T) {
	for held, stay := range map[int]int{0: 0, 2: 2, 3: 3, 4: 3} {
		l := Limits{Max: 3}
		if l.Keep(held) != stay || l.Fits(held) != (stay == held) {
			t.Errorf("%d of %d stay, all: %v", l.Keep(held), held, l.Fits(held))
		}
		if l.NoCreates = true; l.Keep(held) != held || !l.Fits(held) {
			t.Errorf("%d of %d stay while nothing can be created", l.Keep(held), held)
		}
	}
}

// TestOrderOfOverlaps: a caller may list overlaps in any order. Of two groups with the same
// overlap, the first one gets the slice.
func TestOrderOfOverlaps(t *testing.T) {
	p := Problem{Limits{Max: 2}, []int{2, 2}, []Slice{{Group: None, Ports: None}}}
	overlaps := []Overlap{{Slice: 0, Group: 0, Count: 1}, {Slice: 0, Group: 1, Count: 1}}
	for range 2 {
		deals := Place(p, func() []Overlap { return slices.Clone(overlaps) })
		if !slices.Equal(deals[0].Reused, []int{0}) || len(deals[1].Reused) > 0 {
			t.Errorf("with overlaps %v: %+v", overlaps, deals)
		}
		slices.Reverse(overlaps)
	}
}

// Mutants of gremlins that no test can notice: the two of the constant None, which it counts as not
// covered; at most the maximum instead of less in Problem.pools, because release has less than a
// whole slice to give.
