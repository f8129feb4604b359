package allocate

import "testing"

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
