// Package accept finds everything in wanted endpoints and in slices that the API server would
// refuse, with the reasons. The rules are those of ValidateEndpointSlice in the API server.
package accept

import (
	"fmt"
	"net/netip"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// MaxAddresses is the largest number of addresses that an endpoint may have.
const MaxAddresses = 100

// MaxHints is the largest number of hints for zones, and also of hints for Nodes, that an endpoint
// may have.
const MaxHints = 8

// Part is the part of an endpoint that is refused. Its values are values of slicer.SkipReason.
type Part string

const (
	// Address is an address, or the number of addresses.
	Address Part = "InvalidAddress"
	// Hostname is the hostname.
	Hostname Part = "InvalidHostname"
	// NodeName is the name of the Node.
	NodeName Part = "InvalidNodeName"
	// Hints are the hints for zones or Nodes.
	Hints Part = "InvalidHints"
)

// Refusal says why the API server would refuse an endpoint.
type Refusal struct {
	Part Part
	err  *field.Error // with the path within the endpoint
}

// Err returns the error. path is the path of the endpoint.
func (r *Refusal) Err(path *field.Path) *field.Error {
	err := *r.err
	err.Field = path.String() + "." + err.Field
	return &err
}

// Refuse returns why the API server would refuse an endpoint in a slice of type t. If it would not,
// Refuse returns nil. ip is what endpoint.OnlyIPv4 returns for the endpoint: with it, most IPv4
// addresses are checked fast. hints says whether the hints are checked.
func Refuse(ip uint32, e *discoveryv1.Endpoint, t discoveryv1.AddressType, hints bool) *Refusal {
	if len(e.Addresses) == 0 {
		return &Refusal{Address, field.Required(field.NewPath("addresses"), "an endpoint needs an address")}
	}
	if n := len(e.Addresses); n > MaxAddresses {
		return &Refusal{Address, field.TooMany(field.NewPath("addresses"), n, MaxAddresses)}
	}
	if t != discoveryv1.AddressTypeIPv4 || !ordinaryIPv4(ip) {
		for i, a := range e.Addresses {
			if msg := refuseAddress(a, t); msg != "" {
				return &Refusal{Address, field.Invalid(field.NewPath("addresses").Index(i), a, msg)}
			}
		}
	}
	if name := endpoint.Text(e.Hostname); name != "" && !PlainName(name, false) {
		if msgs := validation.IsDNS1123Label(name); len(msgs) > 0 {
			return &Refusal{Hostname, field.Invalid(field.NewPath("hostname"), name, msgs[0])}
		}
	}
	if name := endpoint.Text(e.NodeName); name != "" {
		if msgs := RefuseNode(name); len(msgs) > 0 {
			return &Refusal{NodeName, field.Invalid(field.NewPath("nodeName"), name, msgs[0])}
		}
	}
	if hints && e.Hints != nil {
		return RefuseHints(e.Hints)
	}
	return nil
}

// refuseAddress returns what is wrong with an address of type t, or "" if nothing is.
func refuseAddress(a string, t discoveryv1.AddressType) string {
	if a == "" {
		return "is empty: leave it out"
	}
	if t == discoveryv1.AddressTypeFQDN {
		if errs := validation.IsFullyQualifiedDomainName(nil, a); len(errs) > 0 {
			return errs[0].Detail
		}
		return ""
	}
	addr, ok := endpoint.Addr(a)
	switch {
	case !ok:
		return fmt.Sprintf("is not an %s address", t)
	case addr.Is4() != (t == discoveryv1.AddressTypeIPv4):
		return fmt.Sprintf("is not an %s address: put it into a group of its own address type", t)
	default:
		return unreachable(addr)
	}
}

// IP returns why the API server would refuse an IP in slices and Endpoints. It returns nil if the
// API server would accept the IP. Any spelling of an IP is accepted here.
func IP(path *field.Path, text string) *field.Error {
	addr, ok := endpoint.Addr(text)
	switch {
	case text == "":
		return field.Required(path, "give an IP")
	case !ok:
		return field.Invalid(path, text, "is not an IP: give one without port, prefix length and leading zeros")
	case !Reachable(addr):
		return field.Invalid(path, text, unreachable(addr))
	default:
		return nil
	}
}

// unreachable returns why an IP is not Reachable. If it is, unreachable returns "".
func unreachable(ip netip.Addr) string {
	switch {
	case ip.IsLinkLocalMulticast():
		return "the API server refuses link-local multicast addresses: publish the address of one endpoint"
	case ip.IsUnspecified() || ip.IsLoopback() || ip.IsLinkLocalUnicast():
		return "the API server refuses unspecified, loopback and link-local addresses: " +
			"publish one that other nodes can reach"
	default:
		return ""
	}
}

// Reachable reports whether the API server accepts an IP in slices and Endpoints: it is not
// unspecified, loopback or link-local.
func Reachable(ip netip.Addr) bool { return unreachable(ip) == "" }

// ordinaryIPv4 reports whether the address is outside of the blocks that contain all refused
// addresses: 0/8, 127/8, 169.254/16 and 224/8. Addresses in these blocks need a closer look.
func ordinaryIPv4(ip uint32) bool {
	first := ip >> 24
	return first != 0 && first != 127 && first != 224 && ip>>16 != 169<<8|254
}

// RefuseHints returns why the API server would refuse hints, or nil if it would accept them.
func RefuseHints(h *discoveryv1.EndpointHints) *Refusal {
	zoneName := func(z *discoveryv1.ForZone) string { return z.Name }
	if r := refuseNames("forZones", h.ForZones, zoneName, RefuseZone); r != nil {
		return r
	}
	return refuseNames("forNodes", h.ForNodes, func(n *discoveryv1.ForNode) string { return n.Name }, RefuseNode)
}

// RefuseZone returns what is wrong with the name of a zone in a hint, or nil if nothing is. The
// name must be a valid value of a label, and not empty.
func RefuseZone(name string) []string {
	switch {
	case name == "":
		return []string{"a zone hint must name a zone"}
	case PlainValue(name):
		return nil
	default:
		return validation.IsValidLabelValue(name)
	}
}

// RefuseNode returns what is wrong with the name of a Node, in a hint or elsewhere, or nil if
// nothing is. The name must be a DNS subdomain.
func RefuseNode(name string) []string {
	if PlainName(name, true) {
		return nil
	}
	return apivalidation.NameIsDNSSubdomain(name, false)
}

// refuseNames returns why the API server would refuse the hints of one kind: there are too many, a
// name is invalid, or a name occurs twice. If there is no such fault, it returns nil.
func refuseNames[H any](kind string, hints []H, nameOf func(*H) string, faults func(name string) []string) *Refusal {
	path := func() *field.Path { return field.NewPath("hints", kind) }
	if n := len(hints); n > MaxHints {
		return &Refusal{Hints, field.TooMany(path(), n, MaxHints)}
	}
	for i := range hints {
		name := nameOf(&hints[i])
		if msgs := faults(name); len(msgs) > 0 {
			return &Refusal{Hints, field.Invalid(path().Index(i).Child("name"), name, msgs[0])}
		}
		for k := range i {
			if nameOf(&hints[k]) == name {
				return &Refusal{Hints, Duplicate(path().Index(i).Child("name"), name, "give each name once")}
			}
		}
	}
	return nil
}
