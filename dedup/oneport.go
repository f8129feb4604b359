package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup/internal/address"
	"github.com/slicewright/slicewright/dedup/internal/content"
)

// OnePort returns the endpoints of one port of one Service, each address and port number once, in the order of addresses as
// numbers, then of port numbers. Give it the slices of that Service, in any order, or those of a namespace and
// PortOptions.Service; without it neither names nor labels nor address types are needed. It is for readers that ask now and
// keep nothing. The result is the caller's, and is the same as that of Merge for the same slices; the package comment says who wins where slices
// disagree.
//
// Problems are what was set aside, in the order of slices; the endpoints are good whatever they say. Where some slices
// have endpoints and none has the port, that is a Problem, too. Of several slices with one name the newest counts; slices
// without names that say the same of an endpoint count in the order of the list. With an option that this version does not
// know, nothing is read. nil and empty lists give nil.
func OnePort(slices []*discoveryv1.EndpointSlice, o PortOptions) ([]Found, Problems) {
	return find(slices, o, false)
}

// Addresses returns the addresses of one Service, each once, whatever the ports, in the order of addresses as numbers: for DNS
// servers, for those who announce virtual IPs and for policies that let a Service's endpoints through. Ask Found.State whether
// an address is ready, and Found.Endpoint for its node.
//
// It is OnePort with all ports of all slices ignored, those without a number and slices without ports included. Where slices
// disagree the same rules choose, so that two Pods with one address, as on the network of their node, are one address, which is
// ready if one of them is. Found.Port is 0. Options about ports are a mistake (BadOption). Problems are those of OnePort, except
// those about ports. nil and empty lists give nil.
//
// A reader that follows a watch uses an Index with Options.AllPorts.
func Addresses(slices []*discoveryv1.EndpointSlice, o PortOptions) ([]Found, Problems) {
	return find(slices, o, true)
}

// find is OnePort, and Addresses where ports make no difference.
func find(list []*discoveryv1.EndpointSlice, o PortOptions, anyPort bool) ([]Found, Problems) {
	if problems := o.problems(anyPort); problems != nil {
		return nil, problemsOf(problems)
	}
	s := searches.Get().(*search)
	defer s.put()
	s.options, s.slices, s.anyPort = o, list, anyPort
	s.content = content.Options{Families: address.Families(o.AddressTypes), AllAddresses: o.AllAddresses}
	s.apps = slices.Grow(s.apps[:0], len(list))[:len(list)]
	s.order = s.ofOneService(content.Distinct(s.order, list, false, func(p content.Problem) { s.problems = append(s.problems, p) }))
	for _, i := range s.order {
		s.read(int(i))
	}
	if s.matched == 0 && s.left > 0 {
		s.noPort()
	}
	return s.found(), problemsOf(s.problems)
}
