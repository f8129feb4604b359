package dedup

import (
	"cmp"
	"net/netip"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/content"
	"github.com/slicewright/slicewright/examples/internal/olddedup/internal/view"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// ServicePort identifies one port of one Service. Its endpoints may have different port numbers and
// address families.
type ServicePort struct {
	// Service is the Service's namespace and name.
	Service types.NamespacedName
	// Port is the name of the port, often empty.
	Port string
	// Protocol is never empty in results, except with AllPorts. In arguments empty means TCP.
	Protocol corev1.Protocol
	// AllPorts stands for the addresses of the Service, whatever their ports (Options.AllPorts).
	// Port and Protocol are then empty in results, and ignored in arguments. It is a field of its
	// own and not a special port name, because clients of a DNS server can send any name.
	AllPorts bool
}

// name returns the key of the port in its Service.
func (p ServicePort) name() content.PortName {
	if p.AllPorts {
		return content.PortName{All: true}
	}
	return content.PortName{Name: p.Port, Protocol: endpoint.Protocol(p.Protocol)}
}

// String returns namespace/name:port/protocol, or namespace/name:* with AllPorts. Text that could
// be misread is quoted.
func (p ServicePort) String() string {
	text := quote.Name(p.Service.Namespace, p.Service.Name) + ":"
	switch {
	case p.AllPorts:
		return text + "*"
	case p.Port != "":
		text += quote.Text(p.Port)
	}
	return text + "/" + quote.Text(string(endpoint.Protocol(p.Protocol)))
}

// Compare orders by namespace, name, port and protocol. An empty protocol is TCP. AllPorts comes
// before the other ports of its Service. If you use a ServicePort as a map key, set its protocol,
// because == does not treat an empty protocol as TCP.
func (p ServicePort) Compare(q ServicePort) int {
	return cmp.Or(content.CompareNames(p.Service, q.Service), p.name().Compare(q.name()))
}

// Endpoint is one address and port number of a service port. No two Endpoints of a service port
// have the same address and port number. An Endpoint is a value. Only the two lists of hints and
// the labels are shared with other copies and views, and must not be changed.
type Endpoint struct {
	// Address is the IP address. It is the zero Addr if the endpoint has a name instead.
	Address netip.Addr
	// FQDN is the name, for endpoints of FQDN slices, as the slice spells it but without a dot at
	// the end. It is empty for IP addresses.
	FQDN string
	// Port is the port number, 1 to 65535. It is 0 in two cases: the port of the slice has no
	// number (Options.KeepAnyPort), or the endpoint belongs to ServicePort.AllPorts.
	Port int32
	// AppProtocol is the application protocol of the slice's port, such as kubernetes.io/h2c, or
	// empty.
	AppProtocol string
	// State has the conditions. A condition that is nil has the value that the API defines for nil.
	State conditions.State
	// Hostname, NodeName and Zone are empty if the slice does not have them.
	Hostname, NodeName, Zone string
	// Target is the object that the endpoint stands for, often a Pod. It is zero if there is no
	// targetRef.
	Target Target
	// ForZones and ForNodes are the hints, sorted, each once, and nil if there are none. They are
	// read-only.
	ForZones []discoveryv1.ForZone
	ForNodes []discoveryv1.ForNode
	// Slice is the name of the slice, in the Service's namespace, that has the winning copy. Use it
	// for messages only. If only Slice changes, this is not reported as a Change: for readers, an
	// endpoint that only moves to another slice has not changed.
	Slice string
	// Labels are the labels of the slice that Options.Labels lists. It is nil if the slice has none
	// of them. It is shared, and read-only.
	Labels map[string]string
}

// Candidate returns what routing.Route needs of the endpoint, including its target, which
// Policy.AnyFamily needs. The lists of hints are shared, and read-only. TargetRef is a new object,
// so there is one allocation for each endpoint that has a target.
func (e Endpoint) Candidate() routing.Candidate {
	c := routing.Candidate{
		AddressType: e.addressType(), State: e.State, NodeName: e.NodeName, Zone: e.Zone, ForZones: e.ForZones,
		ForNodes: e.ForNodes,
	}
	if t := e.Target; t != (Target{}) {
		c.TargetRef = &corev1.ObjectReference{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, UID: t.UID}
	}
	return c
}

// addressType returns the address type of the endpoint's slice. It is empty for the zero Endpoint.
func (e *Endpoint) addressType() discoveryv1.AddressType {
	switch {
	case e.FQDN != "":
		return discoveryv1.AddressTypeFQDN
	case e.Address.Is4():
		return discoveryv1.AddressTypeIPv4
	case e.Address.IsValid():
		return discoveryv1.AddressTypeIPv6
	default:
		return ""
	}
}

// Host returns the IP address or the name as text.
func (e Endpoint) Host() string {
	if e.FQDN != "" {
		return e.FQDN
	}
	return e.Address.String()
}

// AddrPort returns the IP address with the port number. It is not valid if the endpoint has a name.
func (e Endpoint) AddrPort() netip.AddrPort { return netip.AddrPortFrom(e.Address, uint16(e.Port)) }

// String returns host:port. IPv6 addresses are in brackets. * stands for port number 0. A name that
// could be misread is quoted, unlike in Host.
func (e Endpoint) String() string {
	port := "*"
	if e.Port != 0 {
		port = strconv.Itoa(int(e.Port))
	}
	switch {
	case e.FQDN != "":
		return quote.Text(e.FQDN) + ":" + port
	case e.Address.Is6():
		return "[" + e.Address.String() + "]:" + port
	default:
		return e.Address.String() + ":" + port
	}
}

// Target is the identity of the object in a targetRef. Targets are comparable with ==.
type Target struct {
	Kind, Namespace, Name string    // empty if the targetRef does not have it
	UID                   types.UID // likewise
}

// Fields is a set of fields of an endpoint. The zero value is the empty set.
type Fields uint8

const (
	// FieldConditions is ready, serving or terminating.
	FieldConditions Fields = 1 << iota
	// FieldHostname is hostname.
	FieldHostname
	// FieldNodeName is nodeName.
	FieldNodeName
	// FieldZone is zone.
	FieldZone
	// FieldTarget is targetRef.
	FieldTarget
	// FieldHints is the hints for zones or nodes.
	FieldHints
	// FieldAppProtocol is the appProtocol of the slice's port.
	FieldAppProtocol
	// FieldLabels is the labels of the slice that Options.Labels lists.
	FieldLabels
)

var fieldNames = []string{"conditions", "hostname", "nodeName", "zone", "targetRef", "hints", "appProtocol", "labels"}

// String returns the fields as the API names them, joined by commas. It is empty for the empty set.
func (f Fields) String() string {
	var names []string
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// endpointOf returns the endpoint that readers see for a claim.
func endpointOf(c view.Claim) Endpoint {
	e := c.Endpoint
	return Endpoint{
		Address: e.Host.Addr(), FQDN: e.FQDN, Port: int32(c.Port.Number), AppProtocol: c.Port.AppProtocol,
		State: e.State, Hostname: e.Hostname, NodeName: e.NodeName, Zone: e.Zone, Target: Target(e.Target()),
		ForZones: e.ForZones, ForNodes: e.ForNodes, Slice: e.Slice, Labels: e.Labels,
	}
}
