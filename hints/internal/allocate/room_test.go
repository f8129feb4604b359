package allocate

import (
	"slices"
	"testing"
)

// trackedPlan is a tracked plan in which one endpoint serves each zone, and carries 1, 2, 3 and so
// on. Its groups are in this order.
func trackedPlan(zones int) *plan {
	s := &Sharing{scale: 1}
	p := &plan{Sharing: s}
	for z := range zones {
		s.Weights = append(s.Weights, int64(z+1))
		p.size = append(p.size, 1)
		p.add(group{home: z, zones: []int{z}, free: true})
	}
	p.track()
	return p
}

// overrate makes the last loads of all groups too high. The first group seems to be the busiest.
func overrate(p *plan) {
	for i := range p.groups {
		p.groups[i].lastLoad = uint64(1000 - i)
		p.tree.update(p.groups, i)
	}
}

// TestBusiest: a group is found only if its load is above the bound. While last loads are too high,
// the groups that seem busiest are looked at, a few of them for sure. Then one whose load is above
// the bound is good enough.
func TestBusiest(t *testing.T) {
	const groups, looks = 10, refreshed / 8
	p := trackedPlan(groups)
	if c, found := p.busiest(groups - 1); !found || c.home != groups-1 {
		t.Errorf("%+v is busiest", c)
	}
	if c, found := p.busiest(groups); found {
		t.Errorf("%+v is above its own load", c)
	}
	for _, row := range []struct {
		why        string
		most       uint64
		home, look int
	}{
		{"the first one that is not looked at is above the bound", looks, looks, looks},
		{"that one is not above the bound, and the next one is", looks + 1, looks + 1, looks + 1},
	} {
		overrate(p)
		if c, found := p.busiest(row.most); !found || c.home != row.home {
			t.Errorf("%s: %+v is busiest", row.why, c)
		}
		for i, c := range p.groups {
			if seen := c.lastLoad == p.load(c); seen != (i < row.look) {
				t.Errorf("%s: group %d is looked at: %v", row.why, i, seen)
			}
		}
	}
}

// TestRefresh: the groups that serve a zone take turns. Groups without endpoints are skipped, and
// end a refresh if there are too many.
func TestRefresh(t *testing.T) {
	for _, row := range []struct {
		why           string
		groups, empty int
		ends          []int // the last group of each refresh
	}{
		{"all of a few groups", 3, 0, []int{0, 0}},
		{"32 of many groups", 100, 0, []int{32, 64, 96, 28}},
		{"32 of those with endpoints", 100, 10, []int{41, 73}},
		{"128 groups, most of them without endpoints", 200, 190, []int{128, 56}},
	} {
		p := trackedPlan(row.groups)
		for i := range p.groups {
			p.groups[i].zones = []int{0}
			if i < row.empty {
				p.groups[i].count = 0
			}
		}
		p.track()
		for n, end := range row.ends {
			if p.refresh(0); p.turn[0] != end {
				t.Errorf("%s: refresh %d ends with group %d, want %d", row.why, n, p.turn[0], end)
			}
		}
	}
}

// TestFind: a few groups are searched one after the other, and more by their key.
func TestFind(t *testing.T) {
	for _, groups := range []int{few, few + 1} {
		p := trackedPlan(groups)
		p.numbers = nil
		for i, c := range p.groups {
			if at, found := p.find(c); !found || at != i || (p.numbers != nil) != (groups > few) {
				t.Errorf("of %d groups %d is found at %d: %v, by key %v", groups, i, at, found, p.numbers != nil)
			}
		}
		if at, found := p.find(group{home: groups}); found {
			t.Errorf("a group that is not there is found at %d of %d", at, groups)
		}
	}
}

// TestTies: endpoints without a zone serve zones whose endpoints carry the same in the order of the
// zones.
func TestTies(t *testing.T) {
	const zones = 7
	s := &Sharing{scale: 1, Weights: slices.Repeat([]int64{6}, zones), Home: slices.Repeat([]int{Nowhere}, 2*zones),
		Prior: make([][]int, 2*zones), order: numbers(2 * zones)}
	for e, got := range s.start(make([]bool, 2*zones)) {
		// The load of a zone is the same without endpoints and with one, so each zone is taken
		// twice.
		if want := []int{e / 2}; !slices.Equal(got, want) {
			t.Errorf("endpoint %d serves %v, want %v", e, got, want)
		}
	}
}

// TestGroupsAreToldApart: groups are told apart by their zone, the zones that they serve, and
// whether they are free, both while there are few of them and with many.
func TestGroupsAreToldApart(t *testing.T) {
	p := &plan{Sharing: &Sharing{}}
	for home := range 2 * few {
		for _, c := range []group{{home: home}, {home: home, free: true}, {home: home, zones: []int{1}},
			{home: home, zones: []int{1, 2}}} {
			if i, found := p.find(c); found {
				t.Errorf("%+v is found as %+v", c, p.groups[i])
			}
			if i := p.add(c); p.add(c) != i || i != len(p.groups)-1 {
				t.Errorf("%+v is added twice", c)
			}
		}
	}
}
