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
	u.run(nil, list, name)
	return u.after
}

// update makes the items of a port anew after slices were edited.
type update struct {
	after  []Item
	change *Change // nil if the caller does not need the changes
	report Report  // as change
	choose Chooser
	sorter Sorter
}

// run sets u.after to the items without the claims of slices that were replaced, and with those of
// the other edited slices. It reads only items whose address is in an edited slice.
func (u *update) run(before []Item, edited []*content.Slice, name *content.PortName) {
	size := len(before)
	for _, slice := range edited {
		if slice.Replaced {
			size -= len(slice.Places)
		} else {
			size += len(slice.Places)
		}
	}
	u.after = make([]Item, 0, max(size, 0))
	_, runs := u.sorter.Sort(edited, name)
	for copies := range runs {
		i, found := slices.BinarySearchFunc(before, copies[0], func(it Item, c Claim) int { return compare(&it.Claim, &c) })
		u.after = append(u.after, before[:i]...)
		before = before[i:]
		copies = slices.DeleteFunc(copies, func(c Claim) bool { return c.Slice.Replaced })
		if found {
			u.put(&before[0], before[0].appendLive(copies))
			before = before[1:]
		} else {
			u.put(nil, copies)
		}
	}
	u.after = append(u.after, before...)
}

// appendLive appends the item's claims of slices that were not replaced.
func (it *Item) appendLive(list []Claim) []Claim {
	all := []Claim{it.Claim}
	if it.Copies != nil {
		all = *it.Copies
	}
	for _, c := range all {
		if !c.Slice.Replaced {
			list = append(list, c)
		}
	}
	return list
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
