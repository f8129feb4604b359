package dedup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/decide"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// search is the memory of one OnePort. It comes from a pool and goes back empty.
type search struct {
	options  PortOptions
	content  content.Options
	slices   []*discoveryv1.EndpointSlice
	anyPort  bool // ports make no difference
	matched  int  // slices that have a number for the port
	left     int  // slices with endpoints that do not have the port at all
	problems []content.Problem

	apps   []string        // of slices, by their indexes: the application protocol
	order  []int32         // of slices, by namespace and name
	places []content.Place // of the slice at hand
	ports  address.Ports
	where  []where        // indexes of ports are places in it
	ranks  []decide.Claim // of slices, by their indexes; empty until two of them disagree
	claims []decide.Claim
}

// where is an address in the list of slices.
type where struct {
	slice, endpoint, address int32
	odd                      bool // the address is not spelled canonically
}

var searches = sync.Pool{New: func() any {
	s := new(search)
	s.ports.Names = func(a, b int32) int {
		return strings.Compare(strings.TrimSuffix(s.text(a), "."), strings.TrimSuffix(s.text(b), "."))
	}
	return s
}}

func (s *search) put() {
	s.options, s.content, s.slices, s.anyPort, s.matched, s.left, s.problems = PortOptions{}, content.Options{}, nil, false, 0, 0, nil
	clear(s.apps)
	s.order, s.ports.List, s.where = s.order[:0], s.ports.List[:0], s.where[:0]
	s.ranks, s.claims = s.ranks[:0], s.claims[:0]
	searches.Put(s)
}

// inOrder returns the indexes of the slices that count, by namespace and name, and names the problems of the others.
func (s *search) inOrder() []int32 {
	s.apps = slices.Grow(s.apps[:0], len(s.slices))[:len(s.slices)]
	for i, slice := range s.slices {
		if slice == nil {
			s.problems = append(s.problems, content.NilSlice(field.NewPath("slices").Index(i)))
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
			s.problem(int(i), content.SameName(field.NewPath("slices").Index(int(i)), slice))
			if content.Newest(other, slice) == slice {
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
	f, known := address.FamilyOf(slice.AddressType)
	switch {
	case slice.AddressType == "":
		f = address.IPv4 | address.IPv6
	case !known:
		s.problem(index, content.UnknownAddressType(s.path(index, "addressType"), slice.AddressType))
		return
	case f&s.content.Families == 0:
		return
	}
	number, ok := s.port(index)
	if !ok {
		return
	}
	s.places = s.content.Addresses(s.places[:0], slice, f, func() *field.Path { return s.path(index, "endpoints") },
		func(p content.Problem) { s.problem(index, p) })
	for _, p := range s.places {
		s.ports.List = append(s.ports.List, address.Port{Host: p.Host, Number: number, Index: int32(len(s.where))})
		s.where = append(s.where, where{int32(index), p.Endpoint, p.Address, p.Odd})
	}
}

// port returns the number of the port in a slice, and false where the slice is left out.
func (s *search) port(index int) (number uint16, ok bool) {
	if s.anyPort {
		return 0, true
	}
	slice := s.slices[index]
	n, app, match := resolve(slice.Ports, content.PortName{Name: s.options.Port, Protocol: content.Protocol(s.options.Protocol)})
	s.apps[index] = app
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
		s.problem(index, content.BadNumber(field.NewPath("options", "else"), n, "must be 1 to 65535, or 0 to leave the slice out"))
	case match == MatchAny:
		s.problem(index, content.NoNumber(s.path(index, "ports")))
	case match == MatchBad:
		s.problem(index, content.BadNumber(s.path(index, "ports"), s.options.Port, "must have one number of 1 to 65535"))
	case len(slice.Endpoints) > 0:
		s.left++
	}
	return 0, false
}

// noPort is the problem that no slice has the port, with the ports that there are.
func (s *search) noPort() content.Problem {
	var texts []string
	for _, i := range s.order {
		for j := range s.slices[i].Ports {
			p := endpoint.PortOf(&s.slices[i].Ports[j])
			texts = append(texts, p.Name+"/"+string(content.Protocol(p.Protocol)))
		}
	}
	err := field.NotFound(field.NewPath("options", "port"), s.options.Port+"/"+string(content.Protocol(s.options.Protocol)))
	err.Detail = "the slices have " + cmp.Or(few(texts), "no ports")
	return content.Problem{Reason: string(NoPort), Err: err}
}

// path is that of a field in a slice. A slice without a name is named by its place in the list.
func (s *search) path(index int, child string) *field.Path {
	if s.slices[index].Name == "" {
		return field.NewPath("slices").Index(index).Child(child)
	}
	return field.NewPath(child)
}

// few joins the first five of some texts, each once, in their order.
func few(texts []string) string {
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if more := len(texts) - 5; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:5], ", "), more)
	}
	return strings.Join(texts, ", ")
}

func (s *search) problem(index int, p content.Problem) {
	slice := s.slices[index]
	name := types.NamespacedName{Namespace: slice.Namespace, Name: slice.Name}
	s.problems = append(s.problems, p.Of(name))
}

// setAside is problem for a reason that slices alone do not give.
func (s *search) setAside(index int, reason ProblemReason, err *field.Error) {
	s.problem(index, content.Problem{Reason: string(reason), Err: err})
}
