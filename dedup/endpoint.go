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
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/view"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// ServicePort names one port of one Service. Its endpoints may listen on different numbers and be of both families.
type ServicePort struct {
	// Service is the Service's namespace and name.
	Service types.NamespacedName
	// Port is the name of the port, often empty.
	Port string
	// Protocol is never empty in what this package returns, except with AllPorts. In what it is asked, empty means TCP.
	Protocol corev1.Protocol
	// AllPorts names the addresses of the Service, whatever their ports (Options.AllPorts). Port and Protocol are then empty, and
	// are not read. It is not a name, because a client of a DNS server can ask for any name.
	AllPorts bool
}

// name is how an index knows the port in its Service.
func (p ServicePort) name() content.PortName {
	if p.AllPorts {
		return content.PortName{All: true}
	}
	return content.PortName{Name: p.Port, Protocol: endpoint.Protocol(p.Protocol)}
}

// String is namespace/name:port/protocol, or namespace/name:* with AllPorts. Text that would be misread is quoted.
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

// Compare orders by namespace, name, port and protocol, of which an empty one is TCP. AllPorts is before the ports of its Service.
// To look a port up in a map, give its protocol.
func (p ServicePort) Compare(q ServicePort) int {
	return cmp.Or(content.CompareNames(p.Service, q.Service), p.name().Compare(q.name()))
}

// Endpoint is one address and port number behind a service port, unique there. It is a value; only the two hint lists
// and the labels are shared, with all copies and views, and are read-only.
type Endpoint struct {
	// Address is the canonical IP. It is the zero Addr for a name.
	Address netip.Addr
	// FQDN is the name of an endpoint of an FQDN slice, in the slice's spelling but without a dot at the end. It is empty for IPs.
	FQDN string
	// Port is the number, 1 to 65535, or 0 for any port (Options.KeepAnyPort, ServicePort.AllPorts).
	Port int32
	// AppProtocol is that of the slice's port, such as kubernetes.io/h2c; empty where the slice says nothing.
	AppProtocol string
	// State is the conditions, with nil resolved.
	State conditions.State
	// Hostname, NodeName and Zone are empty where the slice has none.
	Hostname, NodeName, Zone string
	// Target is what the endpoint stands for, often a Pod; zero where the slice says nothing.
	Target Target
	// ForZones and ForNodes are the hints, sorted, each once; nil if there are none. Read-only.
	ForZones []discoveryv1.ForZone
	ForNodes []discoveryv1.ForNode
	// Slice is the name of the slice, in the Service's namespace, that the endpoint was taken from. It can change without a Change,
	// because an endpoint that another slice holds alike has not changed. So it is for messages, not for what a reader keeps.
	Slice string
	// Labels are those of the slice that Options.Labels asks for; nil if it has none of them. Shared, and read-only.
	Labels map[string]string
}

// Candidate is what routing.Route must know of the endpoint. The lists of hints are shared, and read-only.
func (e Endpoint) Candidate() routing.Candidate {
	return routing.Candidate{
		AddressType: e.addressType(), State: e.State, NodeName: e.NodeName, Zone: e.Zone, ForZones: e.ForZones, ForNodes: e.ForNodes,
	}
}

// addressType is that of the endpoint's slice, empty for the zero Endpoint.
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

// Host is the IP or the name as text.
func (e Endpoint) Host() string {
	if e.FQDN != "" {
		return e.FQDN
	}
	return e.Address.String()
}

// AddrPort is the address with the port number. It is not valid for a name.
func (e Endpoint) AddrPort() netip.AddrPort { return netip.AddrPortFrom(e.Address, uint16(e.Port)) }

// String is host:port, with brackets for IPv6, and * for any port.
func (e Endpoint) String() string {
	port := "*"
	if e.Port != 0 {
		port = strconv.Itoa(int(e.Port))
	}
	if e.Address.Is6() {
		return "[" + e.Address.String() + "]:" + port
	}
	return e.Host() + ":" + port
}

// Target is what a targetRef says about identity. Targets are comparable with ==.
type Target struct {
	Kind, Namespace, Name string    // empty where the targetRef says nothing
	UID                   types.UID // likewise
}

// Fields is a set of an endpoint's fields. Its zero value is empty.
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
	// FieldHints is hints, for zones or for nodes.
	FieldHints
	// FieldAppProtocol is the appProtocol of the slice's port.
	FieldAppProtocol
	// FieldLabels is the slice's labels that Options.Labels asks for.
	FieldLabels
)

var fieldNames = []string{"conditions", "hostname", "nodeName", "zone", "targetRef", "hints", "appProtocol", "labels"}

// String lists the fields as the API names them, joined by commas; empty for none.
func (f Fields) String() string {
	var names []string
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// endpointOf makes an endpoint of an index for readers.
func endpointOf(c view.Claim) Endpoint {
	e := c.Endpoint
	return Endpoint{
		Address: e.Host.Addr(), FQDN: e.FQDN, Port: int32(c.Port.Number), AppProtocol: c.Port.AppProtocol,
		State: e.State, Hostname: e.Hostname, NodeName: e.NodeName, Zone: e.Zone, Target: Target(e.Target()),
		ForZones: e.ForZones, ForNodes: e.ForNodes, Slice: e.Slice, Labels: e.Labels,
	}
}
