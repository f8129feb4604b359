package dedup

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/address"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// serviceSearch is a search for all ports of a Service at once. So the addresses of a slice are read only
// once, and not once for each port.
type serviceSearch struct {
	*search
	to     serviceRules
	unused []Unused

	matches []portMatch // of all slices that were read, one slice after the other
	last    []int       // for each port of the Service: 1 + the index of its last match, or 0 if it has none
	has     []bool      // for each port of the Service: whether a slice has it, with any number
	own     []int32     // the indexes of the slices that are read
	left    bool        // whether any of these slices has endpoints
}

// portMatch is a port of the Service that a slice has.
type portMatch struct {
	portState
	port     int // its index in the Service
	slice    int // the index of the slice in the list
	first    int // the index in the slice of the first port with this name and protocol
	from, to int // the range of the slice's places; empty if the port has no number
}

// searchService implements OfService and ForGateway.
func searchService(svc *corev1.Service, list []*discoveryv1.EndpointSlice, kind readerKind) (out Served[Found]) {
	if mistakes := mistakesOf(svc); mistakes != nil {
		return Served[Found]{Problems: problemsOf(mistakes)}
	}
	to, whyNot := rulesFor(kind, svc)
	if whyNot != nil {
		return Served[Found]{Unused: whyNot}
	}
	s := serviceSearch{search: newSearch(list), to: to, last: make([]int, len(svc.Spec.Ports)),
		has: make([]bool, len(svc.Spec.Ports))}
	for _, t := range to.families {
		s.content.Families |= address.FamilyOf(t)
	}
	s.order = content.Distinct(nil, list, false, func(p content.Problem) { s.problems = append(s.problems, p) })
	for _, i := range s.order {
		s.read(int(i))
	}
	return Served[Found]{
		Families: to.families, Ports: s.endpointsByPort(), Unused: s.unused, Problems: problemsOf(s.problems),
	}
}

// read adds the addresses of a slice, if the slice belongs to the Service and has a number for one
// of the Service's ports.
func (s *serviceSearch) read(index int) {
	slice := s.slices[index]
	if slice.Namespace != s.to.Namespace || slice.Labels[discoveryv1.LabelServiceName] != s.to.Name {
		return
	}
	if _, headless := slice.Labels[corev1.IsHeadlessService]; headless && s.to.kind == forProxy {
		s.unused = append(s.unused, headlessSlice(slice.Name))
		return
	}
	f := address.FamilyOf(slice.AddressType)
	switch {
	case slice.AddressType == "":
		f = address.IPv4 | address.IPv6
	case f == 0:
		s.problem(index, content.UnknownAddressType(s.path(index, "addressType"), slice.AddressType))
		return
	case f&s.content.Families == 0:
		if len(slice.Endpoints) > 0 {
			s.unused = append(s.unused, s.to.otherFamily(slice.Name, slice.AddressType))
		}
		return
	}
	s.own = append(s.own, int32(index))
	s.left = s.left || len(slice.Endpoints) > 0
	matches, good := s.match(index)
	if !good {
		return
	}
	from := len(s.places)
	s.addresses(index, f)
	for i := range matches {
		if m := &matches[i]; m.match == MatchNumber {
			m.from, m.to = from, len(s.places)
		}
	}
}

// match returns the ports of the Service that a slice has, and whether one of them has a number.
// Other ports of the slice are added to unused, and ports without a good number to the problems.
func (s *serviceSearch) match(index int) (own []portMatch, good bool) {
	slice, from := s.slices[index], len(s.matches)
	for i := range slice.Ports {
		p := endpoint.PortOf(&slice.Ports[i])
		name := content.PortName{Name: p.Name, Protocol: endpoint.Protocol(p.Protocol)}
		port, known := s.to.ports[name]
		if !known {
			if len(slice.Endpoints) > 0 {
				s.unused = append(s.unused, s.to.noServicePort(slice.Name, name))
			}
			continue
		}
		if at := s.last[port] - 1; at < from {
			s.matches = append(s.matches, portMatch{port: port, slice: index, first: i})
			s.last[port], s.has[port] = len(s.matches), true
		}
		s.matches[s.last[port]-1].take(&p)
	}
	for i := range s.matches[from:] {
		m := &s.matches[from+i]
		path := func() *field.Path { return s.path(index, "ports").Index(m.first).Child("port") }
		switch m.match {
		case MatchAny:
			s.problem(index, content.NoNumber(path()))
		case MatchBad:
			name := portNameOf(&s.to.Spec.Ports[m.port])
			s.problem(index, content.BadNumber(path(), portText(name), "must have one number from 1 to 65535"))
		default:
			good = true
		}
	}
	return s.matches[from:], good
}

// endpointsByPort returns the ports of the Service with their endpoints. Ports that no slice has are added
// to unused.
func (s *serviceSearch) endpointsByPort() []ServedPort[Found] {
	all := make([]ServedPort[Found], len(s.to.Spec.Ports))
	slices.SortStableFunc(s.matches, func(a, b portMatch) int { return a.port - b.port })
	for matches := range address.Runs(s.matches, func(a, b *portMatch) bool { return a.port == b.port }) {
		s.ports.List = s.ports.List[:0]
		for i := range matches {
			m := &matches[i]
			s.apps[m.slice] = m.app
			for place := m.from; place < m.to; place++ {
				port := address.Port{Host: s.places[place].Host, Number: uint16(m.number), Index: int32(place)}
				s.ports.List = append(s.ports.List, port)
			}
		}
		list := s.found()
		firstFamilyFirst(list, s.to.families, func(f *Found) discoveryv1.AddressType { return f.addressType() })
		all[matches[0].port].Endpoints = list
	}
	have := ""
	for i := range all {
		p := &s.to.Spec.Ports[i]
		all[i].Port = *p
		name := portNameOf(p)
		if first := s.to.ports[name]; first != i { // two ports of one name, which the API server refuses
			all[i].Endpoints = slices.Clone(all[first].Endpoints)
		} else if !s.has[i] && s.left {
			if have == "" { // made only once, because it is about all slices
				have = s.portTexts(s.own)
			}
			s.unused = append(s.unused, s.to.noSlicePort(name, have))
		}
	}
	return all
}
