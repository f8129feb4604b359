package dedup

import (
	"cmp"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/decide"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// mode says for which function a search is.
type mode int

const (
	onePort    mode = iota // OnePort: the endpoints of one port
	anyPort                // Addresses: ports are ignored
	eachTarget             // Targets: ports are ignored, and all targets of an address are found
)

// search is the memory of one call.
type search struct {
	options  PortOptions
	content  content.Options
	slices   []*discoveryv1.EndpointSlice
	mode     mode
	matched  int // the number of slices that have a number for the port
	left     int // the number of slices that have endpoints and do not have the port
	problems []content.Problem

	apps   []string        // by the index of a slice: its application protocol for the port
	order  []int32         // the indexes of slices, sorted by namespace and name
	places []content.Place // the valid addresses of all slices, in the same order
	ports  address.Ports   // the addresses and port numbers of all places, with the indexes of the places

	origins []content.Origin // by the index of a slice; empty until two slices have the same address
	claims  []decide.Claim   // about one address and port number
}

func newSearch(list []*discoveryv1.EndpointSlice) *search {
	s := &search{slices: list, apps: make([]string, len(list))}
	s.ports.Name = func(index int32) string {
		p, _, e := s.place(index)
		return strings.TrimSuffix(e.Addresses[p.Address], ".")
	}
	return s
}

// find implements OnePort, Addresses and Targets.
func find(list []*discoveryv1.EndpointSlice, o PortOptions, m mode) ([]Found, Problems) {
	if problems := o.problems(); problems != nil {
		return nil, problemsOf(problems)
	}
	s := newSearch(list)
	s.options = o
	s.mode = m
	s.content = content.Options{Families: address.Families(o.AddressTypes), AllAddresses: o.AllAddresses}
	s.order = s.ofOneService(content.Distinct(nil, list, false, func(p content.Problem) {
		s.problems = append(s.problems, p)
	}))
	for _, i := range s.order {
		s.read(int(i))
	}
	if s.matched == 0 && s.left > 0 {
		s.noPort()
	}
	return s.found(), problemsOf(s.problems)
}

// read adds the addresses of a slice, if the slice has a number for the port.
func (s *search) read(index int) {
	slice := s.slices[index]
	f := address.FamilyOf(slice.AddressType)
	switch {
	case slice.AddressType == "":
		f = address.IPv4 | address.IPv6
	case f == 0:
		s.problem(index, content.UnknownAddressType(s.path(index, "addressType"), slice.AddressType))
		return
	case f&s.content.Families == 0:
		return
	}
	number, ok := s.port(index)
	if !ok {
		return
	}
	from := len(s.places)
	s.addresses(index, f)
	for i := from; i < len(s.places); i++ {
		s.ports.List = append(s.ports.List, address.Port{Host: s.places[i].Host, Number: number, Index: int32(i)})
	}
}

// addresses adds the places of a slice. f is the family of its addresses.
func (s *search) addresses(index int, f address.Family) {
	from := len(s.places)
	s.places = s.content.Addresses(s.places, s.slices[index], f, func() *field.Path {
		return s.path(index, "endpoints")
	},
		func(p content.Problem) { s.problem(index, p) })
	for i := from; i < len(s.places); i++ {
		s.places[i].Slice = int32(index)
	}
}

// port returns the number that a slice has for the port, and whether the slice is read.
func (s *search) port(index int) (number uint16, ok bool) {
	if s.mode != onePort {
		return 0, true
	}
	slice := s.slices[index]
	name, n, app, match := s.options.resolve(slice)
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
		s.problem(index, content.BadNumber(field.NewPath("options", "else"), n,
			"must be 1 to 65535, or 0 to skip the slice"))
	case match == MatchAny:
		s.problem(index, content.NoNumber(s.path(index, "ports")))
	case match == MatchBad:
		s.problem(index, content.BadNumber(s.path(index, "ports"), name, "must have one number from 1 to 65535"))
	case len(slice.Endpoints) > 0:
		s.left++
	}
	return 0, false
}

// noPort adds the problem that no slice has the port, with the ports that the slices have.
func (s *search) noPort() {
	names := strings.Join(append([]string{s.options.Port}, s.options.OtherPorts...), ", ")
	s.notFound("port", names+"/"+string(endpoint.Protocol(s.options.Protocol)), NoPort,
		"the slices have "+s.portTexts(s.order))
}

// portTexts returns the ports of slices, in words.
func (s *search) portTexts(indexes []int32) string {
	var texts []string
	for _, i := range indexes {
		for j := range s.slices[i].Ports {
			p := endpoint.PortOf(&s.slices[i].Ports[j])
			texts = append(texts, quote.Port(p.Name, string(endpoint.Protocol(p.Protocol))))
		}
	}
	return cmp.Or(quote.Few(texts), "no ports")
}

// notFound adds the problem that no slice has the value of an option.
func (s *search) notFound(option, value string, reason ProblemReason, detail string) {
	err := field.NotFound(field.NewPath("options", option), value)
	err.Detail = detail
	s.problems = append(s.problems, content.Problem{Reason: string(reason), Err: err})
}

// path returns the path of a field in a slice. For a slice without a name it starts with the
// slice's index in the list.
func (s *search) path(index int, child string) *field.Path {
	if s.slices[index].Name == "" {
		return field.NewPath("slices").Index(index).Child(child)
	}
	return field.NewPath(child)
}

func (s *search) problem(index int, p content.Problem) {
	s.problems = append(s.problems, p.InSlice(content.NameOf(s.slices[index])))
}

// found returns the winner of each address and port number, in order.
func (s *search) found() []Found {
	if len(s.ports.List) == 0 {
		return nil
	}
	s.ports.Sort()
	all := make([]Found, len(s.ports.List))
	n := 0
	for same := range s.ports.Runs {
		if s.mode == eachTarget && len(same) > 1 {
			n += s.eachTarget(all[n:], same)
			continue
		}
		s.winner(&all[n], same)
		n++
	}
	return all[:n]
}

// winner fills in f for one address and port number.
func (s *search) winner(f *Found, same []address.Port) {
	winner := &same[0]
	if len(same) > 1 {
		winner = &same[s.decide(same)]
	}
	s.at(f, winner)
}

// eachTarget fills in one Found for each target of an address, and returns how many there are.
func (s *search) eachTarget(to []Found, same []address.Port) (n int) {
	slices.SortStableFunc(same, s.compareTargets)
	for own := range address.Runs(same, func(a, b *address.Port) bool { return s.compareTargets(*a, *b) == 0 }) {
		s.winner(&to[n], own)
		n++
	}
	slices.SortStableFunc(to[:n], func(a, b Found) int {
		t, u := content.TargetOf(a.Endpoint), content.TargetOf(b.Endpoint)
		return cmp.Or(cmp.Compare(t.Namespace, u.Namespace), cmp.Compare(t.Name, u.Name), cmp.Compare(t.Kind, u.Kind))
	})
	return n
}

// compareTargets returns 0 for two endpoints with the same target, and for two endpoints without a
// target that have the same hostname.
func (s *search) compareTargets(a, b address.Port) int {
	_, _, e := s.place(a.Index)
	_, _, f := s.place(b.Index)
	t, u := content.TargetOf(e), content.TargetOf(f)
	if c := decide.CompareTargets(&t, &u); c != 0 || t.UID != "" || t.Name != "" {
		return c
	}
	return cmp.Compare(endpoint.Text(e.Hostname), endpoint.Text(f.Hostname))
}

// place returns a place by its index, with its slice and endpoint.
func (s *search) place(index int32) (*content.Place, *discoveryv1.EndpointSlice, *discoveryv1.Endpoint) {
	p := &s.places[index]
	slice := s.slices[p.Slice]
	return p, slice, &slice.Endpoints[p.Endpoint]
}

// decide returns the index of the winner of one address and port number.
func (s *search) decide(list []address.Port) int32 {
	if len(s.origins) == 0 { // resourceVersions are parsed only here, because most Services never need them
		s.origins = make([]content.Origin, len(s.slices))
		for _, i := range s.order {
			s.origins[i] = content.OriginOf(s.slices[i])
		}
	}
	s.claims = s.claims[:0]
	for _, p := range list {
		place, _, e := s.place(p.Index)
		s.claims = append(s.claims, decide.Claim{
			From: &s.origins[place.Slice], Target: content.TargetOf(e), State: conditions.Of(e.Conditions),
		})
	}
	rivals := decide.Claims{List: s.claims, Fields: func(i, j int32) int {
		_, _, a := s.place(list[i].Index)
		_, _, b := s.place(list[j].Index)
		return content.CompareFields(content.Of(a), content.Of(b))
	}}
	return rivals.Winner()
}

// at fills in f for the endpoint at one address and port number.
func (s *search) at(f *Found, port *address.Port) {
	p, slice, e := s.place(port.Index)
	f.Slice = slice
	f.Endpoint = e
	f.Address = e.Addresses[p.Address]
	f.Port = int32(port.Number)
	f.AppProtocol = s.apps[p.Slice]
	switch {
	case !p.Odd: // this is nearly always so, and needs no new text
	case p.Host.IsName(): // the only other spelling of a name has a dot at the end
		f.Address = f.Address[:len(f.Address)-1]
	default:
		f.Address = endpoint.Canonical(f.Address)
	}
}
