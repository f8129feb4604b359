package dedup

import (
	"net/netip"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/table"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// Endpoint is one address and port number of a port of a Service. What it points to is read-only.
type Endpoint struct {
	// Address is the IP, or zero in slices of type FQDN.
	Address netip.Addr
	// FQDN is the name in slices of type FQDN, without a dot at the end.
	FQDN string
	// Port is the number, or 0 for any number (Options.AnyPort) and in View.Addresses.
	Port int32
	// Conditions are resolved. A reader that decides by serving, not by ready, copies Serving to
	// Ready before Route.
	Conditions conditions.State
	// AppProtocol is that of the port.
	AppProtocol string
	// Hostname, NodeName and Zone are those of the slice.
	Hostname, NodeName, Zone string
	// Region is never in slices; a reader that uses regions sets it.
	Region string
	// TargetRef is the Pod or other object, and Hints are those of the slice. Both may be nil, as
	// in the API.
	TargetRef *corev1.ObjectReference
	Hints     *discoveryv1.EndpointHints
	// Slice is the name of the slice, for messages.
	Slice string
	// Labels are those of the slice that Options.Labels names, or nil.
	Labels map[string]string
}

// fill sets all fields to those of a claim. It changes the endpoint in place, because the copy of
// an Endpoint takes longer than everything else here.
func (e *Endpoint) fill(c table.Claim) {
	from := c.Endpoint()
	e.Address = c.Host.Addr()
	e.FQDN = c.FQDN()
	if c.Port >= 0 {
		port := &c.Slice.Ports[c.Port]
		e.Port = int32(port.Number)
		e.AppProtocol = port.AppProtocol
	}
	e.Conditions = conditions.Of(from.Conditions)
	e.Hostname = endpoint.Text(from.Hostname)
	e.NodeName = endpoint.Text(from.NodeName)
	e.Zone = endpoint.Text(from.Zone)
	e.TargetRef = from.TargetRef
	e.Hints = from.Hints
	e.Slice = c.Slice.API.Name
	e.Labels = c.Slice.Labels
}

func endpointOf(c table.Claim) (e Endpoint) {
	e.fill(c)
	return e
}

// AddrPort returns the IP address with the port number. It is not valid for slices of type FQDN.
func (e Endpoint) AddrPort() netip.AddrPort { return netip.AddrPortFrom(e.Address, uint16(e.Port)) }

// Host returns the IP address or the FQDN.
func (e Endpoint) Host() string {
	if e.FQDN != "" {
		return e.FQDN
	}
	return e.Address.String()
}

// String returns host:port. IPv6 addresses are in brackets. * stands for number 0. A name that
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

// ServicePortName identifies a port of a Service, as in kube-proxy.
type ServicePortName struct {
	// Service is its namespace and name.
	Service types.NamespacedName
	// Port is the name of the port, often empty.
	Port string
	// Protocol is TCP if empty. In results it is never empty, so that values are keys of maps.
	Protocol corev1.Protocol
}

// String returns namespace/name:port/protocol. Text that could be misread is quoted.
func (p ServicePortName) String() string {
	text := quote.Name(p.Service.Namespace, p.Service.Name) + ":"
	if p.Port != "" {
		text += quote.Text(p.Port)
	}
	return text + "/" + quote.Text(string(endpoint.Protocol(p.Protocol)))
}

func (p ServicePortName) name() content.PortName {
	return content.PortName{Name: p.Port, Protocol: endpoint.Protocol(p.Protocol)}
}

func portName(service types.NamespacedName, p content.PortName) ServicePortName {
	return ServicePortName{Service: service, Port: p.Name, Protocol: p.Protocol}
}
