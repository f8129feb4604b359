package dedup

import (
	"slices"
	"strings"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// search is the memory of one OnePort. It comes from a pool and goes back empty.
type search struct {
	options  PortOptions
	slices   []*discoveryv1.EndpointSlice
	families family
	anyPort  bool // ports make no difference
	matched  int  // slices that have a number for the port
	left     int  // slices with endpoints that do not have the port at all
	problems Problems

	order  []int32 // of slices, by namespace and name
	spots  spots
	where  []where              // spots' indexes are places in it
	names  func(a, b int32) int // compares the names that two spots stand for
	claims []decide.Claim
	ranks  []sliceRank // of slices, by their index; empty until two claims meet
	ages   []age       // of slices, in their order
}

// where is an address in the list of slices.
type where struct {
	slice, endpoint, address int32
	odd                      bool // the address is not spelled canonically
}

var searches = sync.Pool{New: func() any {
	s := new(search)
	s.names = func(a, b int32) int {
		return strings.Compare(strings.TrimSuffix(s.text(a), "."), strings.TrimSuffix(s.text(b), "."))
	}
	return s
}}

func (s *search) put() {
	s.options, s.slices, s.anyPort, s.matched, s.left, s.problems = PortOptions{}, nil, false, 0, 0, nil
	s.order, s.spots.list, s.where = s.order[:0], s.spots.list[:0], s.where[:0]
	s.claims, s.ranks, s.ages = s.claims[:0], emptied(s.ranks), emptied(s.ages)
	searches.Put(s)
}

// inOrder returns the indexes of the slices that count, by namespace and name, and names the problems of the others.
func (s *search) inOrder() []int32 {
	for i, slice := range s.slices {
		if slice == nil {
			s.problems = append(s.problems, nilSlice(field.NewPath("slices").Index(i)))
			continue
		}
		s.order = append(s.order, int32(i))
	}
	if len(s.order) < 2 {
		return s.order
	}
	slices.SortStableFunc(s.order, func(a, b int32) int { return compareSlices(s.slices[a], s.slices[b]) })
	kept := s.order[:1]
	for _, i := range s.order[1:] {
		last, slice := &kept[len(kept)-1], s.slices[i]
		switch other := s.slices[*last]; {
		case slice.Name == "" || compareSlices(other, slice) != 0:
			kept = append(kept, i)
		case other != slice:
			s.problems = append(s.problems, sameName(field.NewPath("slices").Index(int(i)), slice))
			if newest(other, slice) == slice {
				*last = i
			}
		}
	}
	s.order = kept
	return kept
}

func compareSlices(a, b *discoveryv1.EndpointSlice) int {
	if a.Namespace != b.Namespace {
		return strings.Compare(a.Namespace, b.Namespace)
	}
	return strings.Compare(a.Name, b.Name)
}

// read notes the addresses of a slice, if it has the port.
func (s *search) read(index int) {
	slice := s.slices[index]
	f, known := familyOf(slice.AddressType)
	switch {
	case slice.AddressType == "":
		f = ipv4 | ipv6
	case !known:
		s.problem(index, UnknownAddressType, unknownAddressType(s.path(index, "addressType"), slice))
		return
	case f&s.families == 0:
		return
	}
	number, ok := s.port(index)
	if !ok {
		return
	}
	more := false
	s.spots.list, s.where = slices.Grow(s.spots.list, len(slice.Endpoints)), slices.Grow(s.where, len(slice.Endpoints))
	for i := range slice.Endpoints {
		addresses := slice.Endpoints[i].Addresses
		if len(addresses) == 0 {
			s.problem(index, NoAddress, noAddress(s.path(index, "endpoints").Index(i)))
			continue
		}
		if !s.options.AllAddresses {
			more = more || len(addresses) > 1
			addresses = addresses[:1]
		}
		for j, a := range addresses {
			h, canonical, reason, ok := readHost(a, f)
			switch {
			case !ok:
				s.problem(index, reason, badAddress(s.path(index, "endpoints").Index(i), j, a))
				continue
			case f == ipv4|ipv6 && h.family()&s.families == 0:
				continue
			}
			s.spots.list = append(s.spots.list, spot{host: h, number: number, index: int32(len(s.where))})
			s.where = append(s.where, where{int32(index), int32(i), int32(j), !canonical})
		}
	}
	if more {
		s.problem(index, MoreAddresses, moreAddresses(s.path(index, "endpoints")))
	}
}

// port returns the number of the port in a slice, and false where the slice is left out.
func (s *search) port(index int) (number uint16, ok bool) {
	if s.anyPort {
		return 0, true
	}
	slice := s.slices[index]
	n, match := ResolvePort(slice, s.options.Port, s.options.Protocol)
	if match == MatchNumber {
		s.matched++
		return uint16(n), true
	}
	if s.options.Else != nil {
		n = s.options.Else(slice, match)
	}
	switch {
	case n >= 1 && n <= 65535:
		s.matched++
		return uint16(n), true
	case n != 0:
		s.problem(index, BadNumber, field.Invalid(field.NewPath("options", "else"), n, "must be 1 to 65535, or 0 to leave the slice out"))
	case match == MatchAny:
		s.problem(index, NoNumber, noNumber(s.path(index, "ports")))
	case match == MatchBad:
		s.problem(index, BadNumber, field.Invalid(s.path(index, "ports"), s.options.Port, "must have one number of 1 to 65535"))
	case len(slice.Endpoints) > 0:
		s.left++
	}
	return 0, false
}

// path is that of a field in a slice. A slice without a name is named by its place in the list.
func (s *search) path(index int, child string) *field.Path {
	if s.slices[index].Name == "" {
		return field.NewPath("slices").Index(index).Child(child)
	}
	return field.NewPath(child)
}

func (s *search) problem(index int, reason ProblemReason, err *field.Error) {
	slice := s.slices[index]
	name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
	s.problems = append(s.problems, Problem{Slice: name, Reason: reason, Err: err})
}
