package allocate

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// widenOneByOne is the reference of widen: it looks at every group before each step.
func widenOneByOne(p *plan) bool {
	for {
		zones, most := p.unserved(), p.bound(p.Limit)
		if zones == nil {
			for _, c := range p.groups {
				if load := p.load(c); load > most {
					zones, most = c.zones, load
				}
			}
		}
		if zones == nil {
			return true
		}
		if !slices.ContainsFunc(p.largestFirst(slices.Clone(zones), p.size),
			func(z int) bool { return joinOneByOne(p, z) }) {
			return false
		}
	}
}

func joinOneByOne(p *plan, zone int) bool {
	best := none
	for i, c := range p.groups {
		may := c.count > 0 && c.free && p.Weights[zone] > 0 && !slices.Contains(c.zones, zone) &&
			len(c.zones) < MaxNames
		if may && (best == none || p.load(c) < p.load(p.groups[best])) {
			best = i
		}
	}
	if best == none {
		return false
	}
	p.groups[best].count--
	p.size[zone]++
	p.add(group{home: p.groups[best].home, zones: with(p.groups[best].zones, zone), free: true})
	return true
}

// TestWidenOneByOne: the tree of groups finds what looking at every group finds, for few groups and
// for many.
func TestWidenOneByOne(t *testing.T) {
	many := 0
	for n := range 400 {
		r := rand.New(rand.NewPCG(12, uint64(n)))
		zones, count := 1+r.IntN(6), 1+r.IntN(60)
		if n%8 == 0 {
			zones, count = 10+r.IntN(20), 60+r.IntN(100)
		}
		s := drawSharing(r, zones, count, []int{20, 50, 100}[r.IntN(3)])
		had := s.had()
		got, want := s.newPlan(had, s.Free), s.newPlan(had, s.Free)
		if ok := got.widen(); ok != widenOneByOne(want) {
			t.Fatalf("case %d: widen is %v", n, ok)
		}
		if got.room != nil {
			if slices.ContainsFunc(got.serving, func(list []int) bool { return len(list) > refreshed }) {
				continue // not all of these groups are looked at again each time
			}
			many++
		}
		for _, p := range []*plan{got, want} {
			for i := range p.groups {
				p.groups[i].lastLoad = 0
			}
		}
		if !reflect.DeepEqual(got.groups, want.groups) || !slices.Equal(got.size, want.size) {
			t.Fatalf("case %d: with %d zones and %d endpoints the groups differ", n, zones, count)
		}
	}
	if many < 20 {
		t.Errorf("there are many groups in %d cases: the draw tests too little", many)
	}
}

// TestTree: the winners of all groups are those that looking at every group finds, after each
// change of a group.
func TestTree(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	for range 200 {
		groups, all := make([]group, 1+r.IntN(40)), tree{}
		for i := range groups {
			for _, z := range r.Perm(12)[:r.IntN(MaxNames)] {
				groups[i].zones = with(groups[i].zones, z)
			}
			groups[i].free = r.IntN(4) > 0
		}
		for step := range 200 {
			i := r.IntN(len(groups))
			if step < len(groups) {
				i = step
			}
			groups[i].count, groups[i].lastLoad = r.IntN(3), uint64(r.IntN(9))
			if all.update(groups[:min(step+1, len(groups))], i); step < len(groups)-1 {
				continue
			}
			busiest := none
			for k := range groups {
				if groups[k].count > 0 && (busiest == none || groups[k].lastLoad > groups[busiest].lastLoad) {
					busiest = k
				}
			}
			if all.nodes[0] != noWinners {
				t.Fatalf("there is a node above the root: %+v", all.nodes[0])
			}
			if got := int(all.root().busiest); got != busiest {
				t.Fatalf("group %d is busiest, want %d: %+v", got, busiest, groups)
			}
			for zone := range 13 {
				least := none
				for k := range groups {
					if c := &groups[k]; c.mayServe() && !slices.Contains(c.zones, zone) &&
						(least == none || c.lastLoad < groups[least].lastLoad) {
						least = k
					}
				}
				if got := int(all.root().without(groups, zone)); got != least {
					t.Fatalf("group %d may serve zone %d, want %d: %+v", got, zone, least, groups)
				}
			}
		}
	}
}
