package packing

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestPlaceSmall compares Place with the best of all plans on every problem of these sizes.
func TestPlaceSmall(t *testing.T) {
	n := 0
	for _, size := range []problems{
		{max: 1, groups: 2, slices: 4, unassigned: 2},
		{max: 2, groups: 2, slices: 3, unassigned: 5},
		{max: 3, groups: 2, slices: 2, unassigned: 7},
		{max: 4, groups: 1, slices: 3, unassigned: 9},
		{max: 3, groups: 2, slices: 4, unassigned: 3, costs: true},
		{max: 2, groups: 3, slices: 2, unassigned: 3},
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

// TestPlaceOverlaps does so for every overlap of up to three idle slices with two groups.
func TestPlaceOverlaps(t *testing.T) {
	n := 0
	size := problems{max: 2, groups: 2, slices: 3, unassigned: 3}
	size.each(func(p Problem) {
		var pairs []Overlap
		clean := 0
		for i, s := range p.Slices {
			if s.Group != None {
				clean++
				if s.Written || s.Homes > 1 || clean > 1 {
					return
				}
				continue
			}
			for g := range p.Groups {
				pairs = append(pairs, Overlap{i, g, 0})
			}
		}
		eachNumber(len(pairs), 2, func(counts []int) {
			n++
			for i := range pairs {
				pairs[i].Count = counts[i]
			}
			comparePlace(t, p, pairs)
		})
	})
	t.Logf("%d problems", n)
}

// TestJoinSmall compares Join with the best of all ways to dissolve and place on every problem of these sizes.
func TestJoinSmall(t *testing.T) {
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
				compareJoin(t, p, JoinOptions{DissolveUpTo: up})
			}
		})
	}
	t.Logf("%d problems", n)
}

// TestLarger does the same on larger problems that are drawn. SLICEWRIGHT_CASES and SLICEWRIGHT_SEED ask for more or for
// others.
func TestLarger(t *testing.T) {
	cases, seed := nightly.Cases(t, 20000), nightly.Seed(t, 1)
	r := rand.New(rand.NewSource(seed))
	for n := range cases {
		p, overlaps := drawn(r, 2+n*5/cases)
		comparePlace(t, p, overlaps)
		p.NoCreates = false
		compareJoin(t, p, JoinOptions{DissolveUpTo: 1 + r.Intn(p.Max)})
		if t.Failed() {
			t.Fatalf("case %d of seed %d", n, seed)
		}
	}
}

// TestJoinWithoutCreates: where nothing can be created, no endpoint leaves its home.
func TestJoinWithoutCreates(t *testing.T) {
	problems{max: 2, groups: 2, slices: 2, unassigned: 2}.each(func(p Problem) {
		p.NoCreates = true
		joined := Join(p, JoinOptions{DissolveUpTo: 2})
		if !reflect.DeepEqual(joined.Problem.Groups, p.Groups) || len(joined.Dissolved)+len(joined.Compacted) > 0 {
			t.Fatalf("%s\n%+v", describe(p, nil), joined)
		}
	})
}

func comparePlace(t *testing.T, p Problem, overlaps []Overlap) {
	t.Helper()
	have := Place(p, func() []Overlap { return append([]Overlap(nil), overlaps...) })
	p = afterSurplus(p)
	best := bestPlan(p, overlaps)
	if !p.NoCreates {
		if want := best.deals(p, overlaps); !reflect.DeepEqual(have, want) {
			t.Fatalf("%s\nhave %#v\nwant %#v", describe(p, overlaps), have, want)
		}
		return
	}
	o := apply(p, Joined{Problem: p}, have)
	c, _ := o.cost()
	if err := o.check(p, JoinOptions{}); err != nil || c.unplaced != best.cost.unplaced || c.writes > best.cost.writes+len(p.Groups)-1 {
		t.Fatalf("%s\n%#v costs %+v, the best plan %+v, %v", describe(p, overlaps), have, c, best.cost, err)
	}
}

func compareJoin(t *testing.T, p Problem, options JoinOptions) {
	t.Helper()
	joined := Join(p, options)
	deals := Place(joined.Problem, func() []Overlap { return nil })
	p = afterSurplus(p)
	o := apply(p, joined, deals)
	c, moves := o.cost()
	have := joinedCost{c.writes, c.slices, moves}
	want := leastJoined(p, options)
	if moves == 0 {
		if alone := Place(p, func() []Overlap { return nil }); len(joined.Compacted) > 0 && c == costOf(p, alone) {
			t.Fatalf("%s\n%+v: slices %v are written for nothing", describe(p, nil), options, joined.Compacted)
		}
	}
	if err := o.check(p, options); err != nil || have != want {
		t.Fatalf("%s\n%+v: %+v, %+v\nhave %+v, want %+v, %v", describe(p, nil), options, joined, deals, have, want, err)
	}
}

func costOf(p Problem, deals []Deal) cost {
	c, _ := apply(p, Joined{Problem: p}, deals).cost()
	return c
}

func describe(p Problem, overlaps []Overlap) string {
	return fmt.Sprintf("%+v\noverlaps %+v", p, overlaps)
}

// TestDropSurplus: the surplus leaves a copy of the problem. A problem without surplus is not copied.
func TestDropSurplus(t *testing.T) {
	problem := func() Problem {
		return Problem{
			Limits: Limits{Max: 2}, Groups: []Group{{1}, {0}},
			Slices: []Slice{{0, 0, 3, true}, {0, 0, 3, false}, {1, 1, 5, true}, {None, 1, 0, false}},
		}
	}
	p := problem()
	have := p.dropSurplus()
	want := problem()
	want.Groups = []Group{{2}, {3}}
	want.Slices[0].Homes, want.Slices[2].Homes = 2, 2
	if !reflect.DeepEqual(have, want) || !reflect.DeepEqual(p, problem()) {
		t.Errorf("%#v becomes\n%#v, want\n%#v", p, have, want)
	}
	if again := have.dropSurplus(); &again.Slices[0] != &have.Slices[0] || &again.Groups[0] != &have.Groups[0] {
		t.Error("a problem without surplus is copied")
	}
	if allocations := testing.AllocsPerRun(5, func() { p.dropSurplus() }); allocations > 2 {
		t.Errorf("%v allocations", allocations)
	}
}
