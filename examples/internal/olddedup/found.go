package dedup

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// PortOptions say which port of a Service OnePort looks for, and how it reads slices. The zero
// value looks for the unnamed TCP port of the one Service that all slices belong to, and reads
// slices as an Index with zero Options does.
type PortOptions struct {
	// Service is the namespace and name of the Service. Set both or neither: one without the other
	// is a Problem (BadOption).
	//
	// If it is set, the slices are read whose label kubernetes.io/service-name is the Service's
	// name. If there are none, the slices are read whose label
	// multicluster.kubernetes.io/service-name is this name. They belong to the ServiceImport of the
	// same name (KEP-1645).
	//
	//   - Slices of other Services are skipped. That is no Problem, but if all slices belong to
	//     other Services, there is a Problem (MixedServices).
	//   - A slice without any label, apart from the label of its manager, is skipped, and that is a
	//     Problem (NoService).
	//   - If the slices of the ServiceImport have different names in kubernetes.io/service-name,
	//     nothing is found, and one Problem says why (MixedServices).
	//
	// If it is zero, all slices must belong to one Service, and slices without these labels are
	// read as well. If two slices differ in one of the following, nothing is found, and one Problem
	// says why (MixedServices):
	//
	//   - their namespaces
	//   - the label kubernetes.io/service-name
	//   - the label multicluster.kubernetes.io/service-name, if one of the slices does not have
	//     kubernetes.io/service-name
	Service types.NamespacedName
	// Port is the name of the Service's port, often empty.
	Port string
	// OtherPorts are other names of the port. In a slice that has no number for Port, they are
	// tried in this order. If empty, only Port is tried.
	OtherPorts []string
	// Protocol is TCP, UDP or SCTP. Empty means TCP.
	Protocol corev1.Protocol
	// Else is called for each slice that has no number for the port. match says what the slice has
	// instead, so it is never MatchNumber. Else returns the number to use, often the Service's
	// targetPort, or 0 to skip the slice. It must not change the slice. If Else is nil, these
	// slices are skipped.
	Else func(slice *discoveryv1.EndpointSlice, match PortMatch) int32
	// AddressTypes are the types of slices whose endpoints are read. If empty, they are IPv4 and
	// IPv6. Slices of other types are skipped, which is no Problem. A slice without an address type
	// is read as if each endpoint had the type of its address.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses makes each address of an endpoint an endpoint of its own. If false, only the
	// first address is read, because the API defines no meaning for the others. A slice that has
	// endpoints with more addresses is then a Problem (MoreAddresses).
	AllAddresses bool
}

// Found is one endpoint, as it is in its slice, with all fields of the API. Slice and Endpoint
// point into the arguments of the call, and must not be changed.
type Found struct {
	Slice    *discoveryv1.EndpointSlice // the slice with the winning copy
	Endpoint *discoveryv1.Endpoint      // in Slice
	// Address is the IP address in its canonical spelling. For an endpoint of an FQDN slice it is
	// the name, without a dot at the end.
	Address string
	Port    int32 // 1 to 65535, or 0 from Addresses and Targets
	// AppProtocol is the application protocol of the slice's port, such as kubernetes.io/h2c. It is
	// empty if the slice does not have it, and from Addresses and Targets.
	AppProtocol string
}

// State returns the endpoint's conditions. A condition that is nil has the value that the API
// defines for nil. For the zero Found all conditions are false.
func (f Found) State() conditions.State {
	if f.Endpoint == nil {
		return conditions.State{}
	}
	return conditions.Of(f.Endpoint.Conditions)
}

// Candidate returns what routing.Route needs of the endpoint, including its slice's address type.
// The lists of hints are the endpoint's own.
func (f Found) Candidate() routing.Candidate {
	return routing.CandidatesOf(f.addressType())(f.Endpoint)
}

// addressType returns the type of the slice. A slice without an address type is taken to have IP
// addresses.
func (f *Found) addressType() discoveryv1.AddressType {
	if f.Slice != nil && f.Slice.AddressType != "" {
		return f.Slice.AddressType
	}
	return endpoint.AddressType(f.Address)
}

// OnePort returns the endpoints of one port of one Service, each address and port number once. Pass
// the slices of the Service, in any order. Or pass all slices of the namespace and set
// PortOptions.Service. OnePort keeps nothing: a reader that follows a watch uses an Index.
//
// The endpoints are in the order of addresses as numbers, then of port numbers. They are the
// endpoints of Merge for the same slices. The list is the caller's, and nil if nothing was found.
// The package comment says which copy wins.
//
// The Problems are what was skipped, and why. Problems of nil and repeated slices come first. The
// other Problems are sorted by the slice's namespace and name. The endpoints are right, whatever
// the Problems are.
//
//   - If slices have endpoints, and none of these slices has the port, that is a Problem (NoPort).
//   - If slices have the same name, the newest one is read.
//   - Slices need no names and no address types. If PortOptions.Service is zero, they need no
//     labels either. If copies in slices without a name are otherwise equal, the first one in the
//     list wins.
//   - If an option is wrong, nothing is read, and there is a Problem (BadOption).
func OnePort(all []*discoveryv1.EndpointSlice, o PortOptions) ([]Found, Problems) {
	return find(all, o, onePort)
}

// Addresses returns the endpoint addresses of one Service, each once, whatever its ports. It is for
// DNS servers, announcers of virtual IPs, and policies that allow traffic to a Service. Found.State
// tells whether an address is ready, and Found.Endpoint has its node.
//
// It does what OnePort does, in the order of addresses as numbers, and ignores ports. So it also
// reads ports without a number and slices without ports. Found.Port is 0, and no Problem is about
// ports.
//
// Two Pods with hostNetwork on one node have the same address, and only one of them is returned. A
// reader that needs the name of each Pod calls [Targets]. A reader that follows a watch uses an
// Index with Options.AllPorts.
func Addresses(all []*discoveryv1.EndpointSlice, o AddressOptions) ([]Found, Problems) {
	return find(all, o.ports(), anyPort)
}

// AddressOptions say which addresses Addresses and Targets look for. The fields mean what they mean
// in PortOptions. The zero value reads the IPv4 and IPv6 addresses of the one Service that all
// slices belong to.
type AddressOptions struct {
	// Service is the namespace and name of the Service, as in PortOptions.
	Service types.NamespacedName
	// AddressTypes are the types of slices whose addresses are read. If empty, they are IPv4 and
	// IPv6.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses reads all addresses of each endpoint. If false, only the first address is read.
	AllAddresses bool
}

func (o AddressOptions) ports() PortOptions {
	return PortOptions{Service: o.Service, AddressTypes: o.AddressTypes, AllAddresses: o.AllAddresses}
}

// Targets returns the endpoint addresses of one Service as Addresses does, but each address once
// for each target that has it. It is for DNS servers and other readers that need the name of each
// Pod: two Pods with hostNetwork on one node have the same address, and both are returned.
//
// The target is what Endpoint.TargetRef names. Endpoints without a target are distinguished by
// their hostname. If slices disagree about an address of one target, the winner is chosen as in
// Addresses. The result is sorted by address, then by the target's namespace and name.
//
// A reader that follows a watch keeps the targets in a [Cache]; see the example of Cache.Put.
func Targets(all []*discoveryv1.EndpointSlice, o AddressOptions) ([]Found, Problems) {
	return find(all, o.ports(), eachTarget)
}

// problems returns the mistakes in the options.
func (o *PortOptions) problems() (all []content.Problem) {
	options := field.NewPath("options")
	if o.Service.Name == "" && o.Service.Namespace != "" {
		all = append(all, content.BadOption(field.Required(options.Child("service", "name"),
			"set the Service's name, or leave its namespace empty as well")))
	}
	if o.Service.Namespace == "" && o.Service.Name != "" {
		all = append(all, content.BadOption(field.Required(options.Child("service", "namespace"),
			"set the Service's namespace as well")))
	}
	all = append(all, addressTypeProblems(o.AddressTypes)...)
	if o.Protocol != "" && !slices.Contains(endpoint.Protocols[:], o.Protocol) {
		all = append(all, content.BadOption(field.NotSupported(options.Child("protocol"), string(o.Protocol),
			endpoint.Protocols[:])))
	}
	return all
}

// PortMatch says what a slice has for a service port.
type PortMatch string

const (
	// NoPorts: the slice has no ports at all, so it does not say how to reach its endpoints. A nil
	// slice counts as one without ports.
	NoPorts PortMatch = "NoPorts"
	// NoName: the slice has ports with this protocol, but none with this name.
	NoName PortMatch = "NoName"
	// NoProtocol: the slice has ports, but none with this protocol.
	NoProtocol PortMatch = "NoProtocol"
	// MatchNumber: the slice has the port with one number. Other ports with the same name and
	// protocol are ignored if they have no number, or a number that is not 1 to 65535.
	MatchNumber PortMatch = "MatchNumber"
	// MatchAny: the port has no number. discovery/v1 does not define this; in v1beta1 it meant all
	// ports. The caller decides what to do: kube-proxy skips it, other readers use the Service's
	// targetPort.
	MatchAny PortMatch = "MatchAny"
	// MatchBad: the number is not 1 to 65535, or ports with this name and protocol have different
	// numbers.
	MatchBad PortMatch = "MatchBad"
)

// ResolvePort returns the number that a slice has for the name and protocol of a service port. It
// is 0 unless the result is MatchNumber. An empty protocol is TCP, both in the argument and in the
// slice. A port of the slice with a nil name has the name "".
func ResolvePort(slice *discoveryv1.EndpointSlice, name string, protocol corev1.Protocol) (int32, PortMatch) {
	if slice == nil {
		return 0, NoPorts
	}
	number, _, match := resolve(slice.Ports, content.PortName{Name: name, Protocol: endpoint.Protocol(protocol)})
	return number, match
}

// resolve looks in a slice for Port and OtherPorts, in this order. It returns the first name that
// has a number, or else the first name that the slice has, or else Port.
func (o *PortOptions) resolve(slice *discoveryv1.EndpointSlice) (name string, number int32, app string,
	match PortMatch) {
	protocol := endpoint.Protocol(o.Protocol)
	name = o.Port
	number, app, match = resolve(slice.Ports, content.PortName{Name: name, Protocol: protocol})
	for _, other := range o.OtherPorts {
		if match == MatchNumber {
			break
		}
		n, a, found := resolve(slice.Ports, content.PortName{Name: other, Protocol: protocol})
		if found == MatchNumber || found.has() && !match.has() {
			name = other
			number = n
			app = a
			match = found
		}
	}
	return name, number, app, match
}

// has reports whether the slice has the port, whatever its number.
func (m PortMatch) has() bool { return m == MatchNumber || m == MatchAny || m == MatchBad }

// resolve is ResolvePort for a list of ports, with the application protocol. If ports with the name
// and protocol have different application protocols, app is the first one in alphabetical order.
func resolve(ports []discoveryv1.EndpointPort, name content.PortName) (number int32, app string, match PortMatch) {
	if len(ports) == 0 {
		return 0, "", NoPorts
	}
	var port portState
	none := NoProtocol
	for i := range ports {
		switch p := endpoint.PortOf(&ports[i]); {
		case endpoint.Protocol(p.Protocol) != name.Protocol:
		case p.Name != name.Name:
			none = NoName
		default:
			port.take(&p)
		}
	}
	return port.resolved(), port.app, cmp.Or(port.match, none)
}

// portState joins all ports of a slice that have the same name and protocol.
type portState struct {
	number int32 // 0 if there is no number yet, -1 if ports have different numbers
	app    string
	match  PortMatch
}

// take adds one more port with the name and protocol. The order of the calls has no effect.
func (s *portState) take(p *endpoint.Port) {
	if p.AppProtocol != "" && (s.app == "" || p.AppProtocol < s.app) {
		s.app = p.AppProtocol
	}
	switch good := p.Number >= 1 && p.Number <= 65535; {
	case s.number < 0: // different numbers were found already, so no number is right
	case good && s.number != 0 && s.number != int32(p.Number):
		s.number, s.match = -1, MatchBad
	case good:
		s.number, s.match = int32(p.Number), MatchNumber
	case s.match == MatchNumber: // the number that was found counts, and this port has no good number
	case p.Number == endpoint.AnyPort:
		s.match = MatchAny
	case s.match != MatchAny: // MatchAny stays: a caller can use such a port, but not a bad number
		s.match = MatchBad
	}
}

// resolved returns the number, or 0 if there is none or if ports have different numbers.
func (s *portState) resolved() int32 { return max(s.number, 0) }
