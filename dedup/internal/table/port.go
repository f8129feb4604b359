package table

import (
	"iter"
	"slices"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Item is the winning claim to one address and port number of a service port.
type Item struct {
	Claim
	Copies *[]Claim // all claims, with the winner; nil if there is only one
}

// Port is a port of a Service, with the items in the order of addresses and port numbers.
type Port struct {
	content.PortName
	Slices int // the number of slices that have the port
	Items  []Item
}

// Change is what changed in the endpoints of a port, in the order of the port.
type Change struct {
	Added, Removed []Claim
	Changed        [][2]Claim // before and after
}

// Sorter puts the claims of slices in order. It keeps its working memory for the next port.
type Sorter struct {
	claims []Claim
	order  address.Ports
	copies []Claim
}

// Sort returns the claims of slices to the addresses of a port: their number, and a sequence that
// yields those that have the same address and port number together, in order. A nil name stands for
// the addresses alone, whatever the ports. What the sequence yields is valid until the next claims.
func (s *Sorter) Sort(list []*content.Slice, name *content.PortName) (n int, runs iter.Seq[[]Claim]) {
	for _, slice := range list {
		n += len(slice.Places)
	}
	s.claims = slices.Grow(s.claims[:0], n)
	s.order.List = slices.Grow(s.order.List[:0], n)
	for _, slice := range list {
		port, number := int32(-1), uint16(0)
		if name != nil {
			if port = slice.PortIndex(*name); port < 0 || slice.Ports[port].Bad {
				continue
			}
			number = slice.Ports[port].Number
		}
		for i := range slice.Places {
			s.order.List = append(s.order.List,
				address.Port{Host: slice.Places[i].Host, Number: number, Index: int32(len(s.claims))})
			s.claims = append(s.claims, Claim{Slice: slice, Place: int32(i), Port: port})
		}
	}
	if s.order.Name == nil {
		s.order.Name = func(index int32) string { return s.claims[index].FQDN() }
	}
	s.order.Sort()
	return len(s.claims), s.runs
}

func (s *Sorter) runs(yield func([]Claim) bool) {
	for list := s.order.List; len(list) > 0; {
		n := s.order.Same(list)
		s.copies = s.copies[:0]
		for _, p := range list[:n] {
			s.copies = append(s.copies, s.claims[p.Index])
		}
		if !yield(s.copies) {
			return
		}
		list = list[n:]
	}
}

// Items returns the items of a port of slices.
func Items(list []*content.Slice, name *content.PortName) []Item {
	u := update{}
	u.run(nil, 0, list, name)
	return u.after
}

// update makes the items of a port anew after slices were replaced.
type update struct {
	after  []Item
	change *Change // nil if the caller does not need the changes
	report Report  // as change
	choose Chooser
	sorter Sorter
}

// run sets u.after to the items without the claims of slices that were replaced, and with those of
// added slices. replaced is about how many claims are replaced.
func (u *update) run(before []Item, replaced int, added []*content.Slice, name *content.PortName) {
	n, runs := u.sorter.Sort(added, name)
	u.after = make([]Item, 0, max(n, n+len(before)-replaced))
	for copies := range runs {
		i, order := 0, -1
		for i < len(before) {
			if order = compare(&before[i].Claim, &copies[0]); order >= 0 {
				break
			}
			i++
		}
		u.keep(before[:i])
		before = before[i:]
		if order == 0 {
			if live := before[0].live(); live != nil {
				copies = append(live, copies...)
			}
			u.put(&before[0], copies)
			before = before[1:]
		} else {
			u.put(nil, copies)
		}
	}
	u.keep(before)
}

// stale reports whether one of the item's slices was replaced.
func (it *Item) stale() bool {
	return it.Slice.Replaced || it.Copies != nil && slices.ContainsFunc(*it.Copies, func(c Claim) bool {
		return c.Slice.Replaced
	})
}

// live returns the claims of slices that were not replaced, in new memory.
func (it *Item) live() (list []Claim) {
	if it.Copies == nil {
		if !it.Slice.Replaced {
			list = append(list, it.Claim)
		}
		return list
	}
	for _, c := range *it.Copies {
		if !c.Slice.Replaced {
			list = append(list, c)
		}
	}
	return list
}

// keep adds items that have no new claims.
func (u *update) keep(items []Item) {
	from := 0
	for i := range items {
		if items[i].stale() {
			u.after = append(u.after, items[from:i]...)
			u.put(&items[i], items[i].live())
			from = i + 1
		}
	}
	u.after = append(u.after, items[from:]...)
}

// put adds the item with these claims, and notes what changed. before is nil if it is new.
func (u *update) put(before *Item, copies []Claim) {
	var after Item
	if len(copies) > 0 {
		after.Claim = u.choose.Winner(copies)
		if len(copies) > 1 {
			kept := slices.Clone(copies)
			after.Copies = &kept
		}
		u.after = append(u.after, after)
	}
	c := u.change
	if c == nil {
		return
	}
	switch {
	case before == nil:
		c.Added = append(c.Added, after.Claim)
	case after.Slice == nil:
		c.Removed = append(c.Removed, before.Claim)
	case before.Differences(after.Claim) != nil:
		c.Changed = append(c.Changed, [2]Claim{before.Claim, after.Claim})
	}
}
