package dedup

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/table"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// OnePort returns the endpoints of one port. All slices must be those of one Service, and need no
// names or labels. It is the fastest way for a reader that lists the slices of a Service when it
// needs them.
//
// An empty protocol is TCP. The endpoints are those of Merge for the same slices, and belong to the
// caller. If the labels of the slices name several Services, there are none, and a Warning says so
// (MixedServices). If slices have endpoints, and none of these has the port, that is a Warning
// (NoPort).
func OnePort(list []*discoveryv1.EndpointSlice, port string, protocol corev1.Protocol,
	o Options) ([]Endpoint, Notices) {
	read, problems := o.read()
	if protocol != "" && !slices.Contains(endpoint.Protocols[:], protocol) {
		problems = append(problems, content.BadOption(field.NotSupported(field.NewPath("protocol"), protocol,
			endpoint.Protocols[:])))
	}
	if problems != nil {
		return nil, noticesOf(problems)
	}
	s := search{
		options: read, otherwise: o.Else, list: list,
		name: content.PortName{Name: port, Protocol: endpoint.Protocol(protocol)},
	}
	order := content.Distinct(list, false, s.problem)
	if other := s.otherService(order); other >= 0 {
		s.problem(content.MixedServices(list[other], list[order[0]], s.at(other)))
		return nil, noticesOf(s.problems)
	}
	s.slices = make([]*content.Slice, 0, len(order))
	s.reader = content.NewReader(&s.options, list)
	for _, i := range order {
		s.read(int(i))
	}
	if !s.matched && s.without {
		s.problem(content.NoPort(s.name, quote.Few(s.has)))
	}
	return s.endpoints(), noticesOf(s.problems)
}

// search is one call of OnePort.
type search struct {
	options   content.Options
	otherwise func(*discoveryv1.EndpointSlice) int32
	list      []*discoveryv1.EndpointSlice
	name      content.PortName

	reader   *content.Reader
	slices   []*content.Slice // those that have the port
	matched  bool             // a slice has the port
	without  bool             // a slice with endpoints does not have the port
	has      []string         // the other ports of slices, if no slice has the port yet
	problems []content.Problem
}

func (s *search) problem(p content.Problem) { s.problems = append(s.problems, p) }

// at returns the path of a slice: its index if it has no name.
func (s *search) at(index int) *field.Path {
	if s.list[index].Name != "" {
		return nil
	}
	return field.NewPath("slices").Index(index)
}

// otherService returns the index of a slice that belongs to another Service than the slices before
// it, or -1. Slices without a label or a namespace belong to any Service.
func (s *search) otherService(order []int32) int {
	if len(order) < 2 {
		return -1
	}
	namespace := func(slice *discoveryv1.EndpointSlice) string { return slice.Namespace }
	if i := s.other(order, namespace); i >= 0 {
		return i
	}
	for _, label := range [...]string{s.options.Label, discoveryv1.LabelServiceName, endpoint.LabelImport} {
		value := func(slice *discoveryv1.EndpointSlice) string { return slice.Labels[label] }
		if i := s.other(order, value); i >= 0 {
			return i
		}
		if slices.ContainsFunc(order, func(i int32) bool { return value(s.list[i]) != "" }) {
			break // for example, slices that name a Service may name any ServiceImport
		}
	}
	return -1
}

// other returns the index of the first slice whose value differs from the first value, or -1.
// Slices with an empty value do not count.
func (s *search) other(order []int32, value func(*discoveryv1.EndpointSlice) string) int {
	first := ""
	for _, i := range order {
		v := value(s.list[i])
		if first = cmp.Or(first, v); v != "" && v != first {
			return int(i)
		}
	}
	return -1
}

// read adds a slice, if it has a number for the port.
func (s *search) read(index int) {
	slice := s.reader.Of(s.at(index), s.list[index], "")
	port := slice.PortIndex(s.name)
	has, replaced := port >= 0, false
	if slice.Read && (!has || slice.Ports[port].Bad) {
		port = s.useElse(slice)
		replaced = port >= 0
	}
	switch {
	case !slice.Read:
	case port >= 0:
		s.matched = true
		s.slices = append(s.slices, slice)
	case !has && len(slice.API.Endpoints) > 0:
		s.without = true
		for i := range slice.Ports {
			s.has = append(s.has, slice.Ports[i].PortName.String())
		}
	}
	for _, p := range slice.Problems {
		if p.Port == nil && (port >= 0 || !slice.Read) || p.Port != nil && *p.Port == s.name && !replaced {
			s.problem(p)
		}
	}
}

// useElse gives a slice the port with the number that Options.Else returns, and returns its index,
// or -1.
func (s *search) useElse(slice *content.Slice) int32 {
	if s.otherwise == nil {
		return -1
	}
	switch n := s.otherwise(slice.API); {
	case n == 0:
		return -1
	case n < 1 || n > 65535:
		s.problem(content.BadNumber(field.NewPath("options", "else"), n,
			"must be 1 to 65535, or 0 to leave the slice out").InSlice(slice.Name))
		return -1
	default:
		slice.Ports = []content.Port{{PortName: s.name, Number: uint16(n)}}
		return 0
	}
}

// endpoints returns the winner of each address and port number.
func (s *search) endpoints() []Endpoint {
	var sorter table.Sorter
	n, runs := sorter.Sort(s.slices, s.name)
	if n == 0 {
		return nil
	}
	list := make([]Endpoint, n)
	n = 0
	var choose table.Chooser
	for copies := range runs {
		list[n].fill(choose.Winner(copies))
		n++
	}
	return list[:n]
}
