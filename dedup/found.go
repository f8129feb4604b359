package dedup

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// PortOptions say which port of a Service OnePort looks for, and how slices are read. The zero value is a TCP port without a
// name of the Service whose slices they are, read as an Index with zero Options reads it.
type PortOptions struct {
	// Service is the Service's namespace and name; a name or a namespace alone is a mistake (BadOption). Slices of other Services
	// are passed over, which is no Problem unless there are no others (MixedServices, one Problem); a slice that names no Service
	// is set aside (NoService). A slice says it by its label kubernetes.io/service-name. If no slice has the Service's name there,
	// those of the ServiceImport of that name count, by the label multicluster.kubernetes.io/service-name (KEP-1645).
	//
	// With the zero value, all slices must be of one Service, or of none that they name: if two disagree in namespace or in
	// kubernetes.io/service-name, or, where they lack that label, in multicluster.kubernetes.io/service-name, nothing is found,
	// and one Problem says why (MixedServices).
	Service types.NamespacedName
	// Port is the name of the Service's port; often empty.
	Port string
	// OtherPorts are names that will do as well: they are tried, in this order, in a slice that has no number for Port. nil and
	// empty mean Port alone.
	OtherPorts []string
	// Protocol is the protocol of the Service's port: TCP, UDP or SCTP; empty means TCP.
	Protocol corev1.Protocol
	// Else, if not nil, is called for each slice that has no number for the port, with what it has instead (any PortMatch but
	// MatchNumber). It returns the number to use, often the Service's targetPort, or 0 to leave the slice out. With nil such
	// slices are left out. It must not change its argument.
	Else func(slice *discoveryv1.EndpointSlice, match PortMatch) int32
	// AddressTypes are those whose endpoints are read. nil and empty mean IPv4 and IPv6: who wants none does not call. A slice of
	// another type is passed over, which is no Problem. The endpoints of a slice without an address type are read as the IPs
	// that they are.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses makes each address of an endpoint one of its own. Without it the first is read, because the API defines no
	// meaning for the others; a slice that has others is a Problem (MoreAddresses).
	AllAddresses bool
}

// Found is one endpoint that was asked for, where its slice has it: all fields of the API's endpoint are at hand. Slice and
// Endpoint are the caller's own memory, to be read only.
type Found struct {
	Slice    *discoveryv1.EndpointSlice // that has it
	Endpoint *discoveryv1.Endpoint      // in Slice
	// Address is the IP in its canonical spelling, or the name of an endpoint of an FQDN slice without a dot at the end.
	Address string
	Port    int32 // 1 to 65535; 0 of Addresses
	// AppProtocol is that of the slice's port, such as kubernetes.io/h2c; empty where the slice says nothing, and of Addresses.
	AppProtocol string
}

// State is the endpoint's conditions, with nil resolved.
func (f Found) State() conditions.State { return conditions.Of(f.Endpoint.Conditions) }

// Candidate is what routing.Route must know of the endpoint: its slice's address type, too. The lists of hints are the
// endpoint's own.
func (f Found) Candidate() routing.Candidate {
	return routing.CandidatesOf(f.addressType())(f.Endpoint)
}

// addressType is that of the slice. A slice without one has IPs.
func (f *Found) addressType() discoveryv1.AddressType {
	if t := f.Slice.AddressType; t != "" {
		return t
	}
	return endpoint.AddressType(f.Address)
}

// OnePort returns the endpoints of one port of one Service, each address and port number once, in the order of addresses as
// numbers, then of port numbers. Give it the slices of that Service, in any order, or those of a namespace and
// PortOptions.Service; without it neither names nor labels nor address types are needed. It is for readers that ask now and
// keep nothing. The result is the caller's, and is the same as that of Merge for the same slices; the package comment says who
// wins where slices disagree.
//
// Problems are what was set aside: nil and repeated slices, then others by the slice's namespace and name; the endpoints are good
// whatever they say. Where some slices have endpoints and none has the port, that is a Problem, too. Of several slices with one
// name the newest counts; slices without names that say the same of an endpoint count in the order of the list. With an option that
// this version does not know, nothing is read. nil and empty lists give nil.
func OnePort(slices []*discoveryv1.EndpointSlice, o PortOptions) ([]Found, Problems) {
	return find(slices, o, onePort)
}

// Addresses returns the addresses of one Service, each once, whatever the ports, in the order of addresses as numbers: for DNS
// servers, for those who announce virtual IPs and for policies that let a Service's endpoints through. Ask Found.State whether
// an address is ready, and Found.Endpoint for its node.
//
// It is OnePort with all ports of all slices ignored, those without a number and slices without ports included. Where slices
// disagree the same rules choose. Found.Port is 0. Problems are those of OnePort, except those about ports. nil and empty lists
// give nil.
//
// A reader that follows a watch uses an Index with Options.AllPorts.
//
// Two Pods on the network of their node have one address, of which one Pod's name is lost. Readers that name single Pods call
// [Targets].
func Addresses(slices []*discoveryv1.EndpointSlice, o AddressOptions) ([]Found, Problems) {
	return find(slices, o.ports(), anyPort)
}

// AddressOptions say which addresses Addresses and Targets look for. The fields are those of PortOptions, except for ports. The
// zero value reads IPv4 and IPv6 addresses of the Service whose slices they are.
type AddressOptions struct {
	// Service is the Service's namespace and name, as in PortOptions.
	Service types.NamespacedName
	// AddressTypes are those whose endpoints are read. If empty, IPv4 and IPv6.
	AddressTypes []discoveryv1.AddressType
	// AllAddresses makes each address of an endpoint one of its own. Without it the first is read.
	AllAddresses bool
}

func (o AddressOptions) ports() PortOptions {
	return PortOptions{Service: o.Service, AddressTypes: o.AddressTypes, AllAddresses: o.AllAddresses}
}

// Targets returns the addresses of one Service as Addresses does, but each address once for each target that has it. It is for
// DNS servers and other readers that name single Pods: two Pods on the network of their node share an address, and each keeps its
// name. The target is what Endpoint.TargetRef names. Endpoints without a target differ by their hostname.
//
// Where slices disagree about an address of one target, the same rules choose as in Addresses. The order is that of addresses, and
// for one address that of the targets' names. A reader that follows a watch keeps the targets in a [Cache] with a key of its own:
// see the example of Cache.Put.
func Targets(slices []*discoveryv1.EndpointSlice, o AddressOptions) ([]Found, Problems) {
	return find(slices, o.ports(), eachTarget)
}

// problems are the mistakes in the options.
func (o *PortOptions) problems() (all []content.Problem) {
	options := field.NewPath("options")
	if o.Service.Name == "" && o.Service.Namespace != "" {
		all = append(all, content.BadOption(field.Required(options.Child("service", "name"), "name the Service, or leave its namespace empty, too")))
	}
	if o.Service.Namespace == "" && o.Service.Name != "" {
		all = append(all, content.BadOption(field.Required(options.Child("service", "namespace"), "give the Service's namespace, too")))
	}
	all = append(all, addressTypeProblems(o.AddressTypes)...)
	if o.Protocol != "" && !slices.Contains(endpoint.Protocols[:], o.Protocol) {
		all = append(all, content.BadOption(field.NotSupported(options.Child("protocol"), o.Protocol, endpoint.Protocols[:])))
	}
	return all
}

// PortMatch says what a slice has to say about a service port.
type PortMatch string

const (
	// NoPorts: the slice has no ports at all, so that it does not say how to reach its endpoints. A nil slice counts as one.
	NoPorts PortMatch = "NoPorts"
	// NoName: ports of the slice have this protocol, and none of them has this name.
	NoName PortMatch = "NoName"
	// NoProtocol: no port of the slice has this protocol, whatever its name.
	NoProtocol PortMatch = "NoProtocol"
	// MatchNumber: the port has this number. Ports of the same name and protocol that have no number, or none of 1 to 65535,
	// do not count beside it.
	MatchNumber PortMatch = "MatchNumber"
	// MatchAny: the port has no number, which the API lets mean all ports. What to do is the caller's choice: kube-proxy
	// drops it, others take the Service's targetPort.
	MatchAny PortMatch = "MatchAny"
	// MatchBad: the number is not 1 to 65535, or several ports of this name and protocol have different numbers.
	MatchBad PortMatch = "MatchBad"
)

// ResolvePort finds the port of a slice by the name and protocol of a Service's port. An empty protocol is TCP, here
// and there, and a nil name "". The number is 0 unless the answer is MatchNumber.
func ResolvePort(slice *discoveryv1.EndpointSlice, name string, protocol corev1.Protocol) (int32, PortMatch) {
	if slice == nil {
		return 0, NoPorts
	}
	number, _, match := resolve(slice.Ports, content.PortName{Name: name, Protocol: endpoint.Protocol(protocol)})
	return number, match
}

// resolve finds the first of the ports that has a number in a slice, else the first that the slice has at all, else the first.
func (o *PortOptions) resolve(slice *discoveryv1.EndpointSlice) (name string, number int32, app string, match PortMatch) {
	protocol := endpoint.Protocol(o.Protocol)
	name = o.Port
	number, app, match = resolve(slice.Ports, content.PortName{Name: name, Protocol: protocol})
	for _, other := range o.OtherPorts {
		if match == MatchNumber {
			break
		}
		n, a, found := resolve(slice.Ports, content.PortName{Name: other, Protocol: protocol})
		if found == MatchNumber || found.has() && !match.has() {
			name, number, app, match = other, n, a, found
		}
	}
	return name, number, app, match
}

// has reports whether the slice has the port, whatever its number.
func (m PortMatch) has() bool { return m == MatchNumber || m == MatchAny || m == MatchBad }

// resolve is ResolvePort, with the application protocol: of several ports of the name and protocol the first text.
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

// portState is what the ports of a slice that have one name and protocol say together.
type portState struct {
	number int32 // -1 if there are several
	app    string
	match  PortMatch
}

// take adds a port of the name and protocol.
func (s *portState) take(p *endpoint.Port) {
	if p.AppProtocol != "" && (s.app == "" || p.AppProtocol < s.app) {
		s.app = p.AppProtocol
	}
	switch good := p.Number >= 1 && p.Number <= 65535; {
	case s.number < 0:
	case good && s.number != 0 && s.number != int32(p.Number):
		s.number, s.match = -1, MatchBad
	case good:
		s.number, s.match = int32(p.Number), MatchNumber
	case s.match == MatchNumber:
	case p.Number == endpoint.AnyPort:
		s.match = MatchAny
	case s.match != MatchAny:
		s.match = MatchBad
	}
}

// resolved is the number, 0 if there is none or there are several.
func (s *portState) resolved() int32 { return max(s.number, 0) }
