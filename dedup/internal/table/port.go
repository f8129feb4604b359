package table

import (
	"iter"
	"maps"
	"slices"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
)

// Port is a port of a Service. The zero PortName stands for the addresses alone, whatever the
// ports.
type Port struct {
	content.PortName
	Slices int // the number of slices that have the port

	// winners are the places of the winning claims, sorted by address and port number. They are
	// pointers, because each Flush copies the list.
	winners []*content.Place
	// copies has all claims, with the winning one, for the winners that are not the only claim.
	copies map[*content.Place][]Claim
}

func (p *Port) claim(place *content.Place) Claim {
	return Claim{Place: place, Port: place.Slice.PortIndex(p.PortName)}
}

// Copies yields the claims to each address and port number, in order. What it yields is valid until
// the next claims.
func (p *Port) Copies(yield func([]Claim) bool) {
	one := make([]Claim, 1)
	for _, place := range p.winners {
		copies := p.copies[place]
		if copies == nil {
			one[0] = p.claim(place)
			copies = one
		}
		if !yield(copies) {
			return
		}
	}
}

// Change is what changed in the endpoints of a port, in the order of the port.
type Change struct {
	Added, Removed []Claim
	Changed        [][2]Claim // before and after
}

// Sorter puts the claims of slices in order. It keeps its working memory and the order for the next
// port, which often has the same slices.
type Sorter struct {
	slices []*content.Slice
	claims []Claim // of these slices, in their order
	order  address.Order
	copies []Claim
}

// Sort returns the claims of slices to the addresses of a port: their number, and a sequence that
// yields those that have the same address and port number together, in order. What the sequence
// yields is valid until the next claims.
func (s *Sorter) Sort(list []*content.Slice, name content.PortName) (n int, runs iter.Seq[[]Claim]) {
	if name != (content.PortName{}) {
		list = slices.DeleteFunc(slices.Clone(list), func(slice *content.Slice) bool {
			port := slice.PortIndex(name)
			return port < 0 || slice.Ports[port].Bad
		})
	}
	if !slices.Equal(list, s.slices) {
		s.slices = list
		s.sort()
	}
	n = 0
	for _, slice := range list {
		port := slice.PortIndex(name)
		for range slice.Places {
			s.claims[n].Port = port
			n++
		}
	}
	return n, s.runs
}

// sort puts the addresses of the slices in order.
func (s *Sorter) sort() {
	n := 0
	for _, slice := range s.slices {
		n += len(slice.Places)
	}
	s.claims = slices.Grow(s.claims[:0], n)
	s.order.List = slices.Grow(s.order.List[:0], n)
	for _, slice := range s.slices {
		for i := range slice.Places {
			place := &slice.Places[i]
			s.order.List = append(s.order.List, address.Entry{Host: place.Host, Index: int32(len(s.claims))})
			s.claims = append(s.claims, Claim{Place: place})
		}
	}
	s.order.Name = func(index int32) string { return s.claims[index].FQDN() }
	s.order.Sort()
}

func (s *Sorter) runs(yield func([]Claim) bool) {
	for list := s.order.List; len(list) > 0; {
		n := s.order.Same(list)
		s.copies = s.copies[:0]
		for _, e := range list[:n] {
			s.copies = append(s.copies, s.claims[e.Index])
		}
		slices.SortStableFunc(s.copies, compareNumbers)
		list = list[n:]
		for rest := s.copies; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Number() == rest[0].Number() {
				n++
			}
			if !yield(rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// update makes ports anew after slices were edited.
type update struct {
	report Report // nil if the caller does not need the changes
	choose Chooser
	sorter Sorter

	before, after *Port
	change        *Change
}

// run returns the port without the claims of slices that were replaced, and with those of the other
// edited slices. It reads only claims whose address is in an edited slice.
func (u *update) run(before *Port, edited []*content.Slice) *Port {
	u.before = before
	u.after = &Port{PortName: before.PortName, Slices: before.Slices, copies: maps.Clone(before.copies)}
	u.change = &Change{}
	size := len(before.winners)
	for _, slice := range edited {
		if slice.Replaced {
			size -= len(slice.Places)
			u.after.Slices--
		} else {
			size += len(slice.Places)
			u.after.Slices++
		}
	}
	winners := make([]*content.Place, 0, max(size, 0))
	_, runs := u.sorter.Sort(edited, before.PortName)
	rest := before.winners
	for copies := range runs {
		i, found := u.search(rest, copies[0])
		winners = append(winners, rest[:i]...)
		rest = rest[i:]
		var was *content.Place
		copies = slices.DeleteFunc(copies, func(c Claim) bool { return c.Slice.Replaced })
		if found {
			was = rest[0]
			rest = rest[1:]
			copies = u.appendOthers(copies, was)
		}
		if winner := u.choice(was, copies); winner != nil {
			winners = append(winners, winner)
		}
	}
	u.after.winners = append(winners, rest...)
	return u.after
}

// search returns the index of the first winner that is not before a claim, and whether it has the
// same address and port number. The time depends on the index and not on the number of winners.
func (u *update) search(winners []*content.Place, c Claim) (int, bool) {
	order := func(place *content.Place, c Claim) int {
		if place.Host != c.Host {
			return place.Host.Compare(c.Host)
		}
		return compare(u.before.claim(place), c)
	}
	n := 1
	for n < len(winners) && order(winners[n-1], c) < 0 {
		n *= 2
	}
	return slices.BinarySearchFunc(winners[:min(n, len(winners))], c, order)
}

// appendOthers appends the other claims to an address, of slices that were not replaced.
func (u *update) appendOthers(list []Claim, winner *content.Place) []Claim {
	all := u.before.copies[winner]
	if all == nil {
		all = []Claim{u.before.claim(winner)}
	}
	for _, c := range all {
		if !c.Slice.Replaced {
			list = append(list, c)
		}
	}
	return list
}

// choice returns the winner of claims, or nil if there are none, and notes what changed. before is
// the winner before the edits, or nil if the address is new.
func (u *update) choice(before *content.Place, claims []Claim) *content.Place {
	delete(u.after.copies, before)
	var after Claim
	if len(claims) > 0 {
		after = u.choose.Winner(claims)
	}
	if len(claims) > 1 {
		if u.after.copies == nil {
			u.after.copies = map[*content.Place][]Claim{}
		}
		u.after.copies[after.Place] = slices.Clone(claims)
	}
	switch c := u.change; {
	case u.report == nil:
	case before == nil:
		c.Added = append(c.Added, after)
	case after.Place == nil:
		c.Removed = append(c.Removed, u.before.claim(before))
	case u.before.claim(before).Differences(after) != nil:
		c.Changed = append(c.Changed, [2]Claim{u.before.claim(before), after})
	}
	return after.Place
}
