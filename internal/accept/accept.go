// Package accept says which wanted endpoints the API server would refuse, and why. The rules are those of
// ValidateEndpointSlice of the API server; testdata/spec.md lists them.
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

// MaxAddresses is the most addresses of an endpoint.
const MaxAddresses = 100

// MaxHints is the most hints of one kind of an endpoint.
const MaxHints = 8

// Part is the part of an endpoint that is refused, in the words of slicer.SkipReason.
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

// Refusal is why the API server would refuse an endpoint.
type Refusal struct {
	Part Part
	err  *field.Error // with the path within the endpoint
}

// Err returns the error, with its path below that of the endpoint.
func (r *Refusal) Err(endpoint *field.Path) *field.Error {
	err := *r.err
	err.Field = endpoint.String() + "." + err.Field
	return &err
}

// Refuse returns nil for an endpoint that the API server accepts in a slice of the type. ip is what endpoint.OnlyIPv4 says of it: an
// ordinary one needs no closer look. hints says whether the hints count.
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

// refuseAddress says what is wrong with an address of the type, "" for nothing.
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
		return fmt.Sprintf("is no %s address", t)
	case addr.Is4() != (t == discoveryv1.AddressTypeIPv4):
		return fmt.Sprintf("is no %s address: put it into a group of its own address type", t)
	default:
		return unreachable(addr)
	}
}

// IP returns why the API server refuses an IP in slices and Endpoints, nil for an IP that it takes in any spelling.
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

// unreachable says what is wrong with an IP that is not Reachable, "" for one that is.
func unreachable(ip netip.Addr) string {
	switch {
	case ip.IsLinkLocalMulticast():
		return "the API server refuses link-local multicast addresses: publish the address of one endpoint"
	case ip.IsUnspecified() || ip.IsLoopback() || ip.IsLinkLocalUnicast():
		return "the API server refuses unspecified, loopback and link-local addresses: publish one that other nodes can reach"
	default:
		return ""
	}
}

// Reachable reports whether the API server takes an IP in slices and Endpoints: it is not unspecified, loopback or link-local.
func Reachable(ip netip.Addr) bool { return unreachable(ip) == "" }

// ordinaryIPv4 reports whether the address is outside the blocks that hold the refused ones: 0/8, 127/8, 169.254/16
// and 224/8. Addresses inside them need a closer look.
func ordinaryIPv4(ip uint32) bool {
	first := ip >> 24
	return first != 0 && first != 127 && first != 224 && ip>>16 != 169<<8|254
}

// RefuseHints returns nil for hints that the API server accepts.
func RefuseHints(h *discoveryv1.EndpointHints) *Refusal {
	if r := refuseNames("forZones", h.ForZones, func(z *discoveryv1.ForZone) string { return z.Name }, RefuseZone); r != nil {
		return r
	}
	return refuseNames("forNodes", h.ForNodes, func(n *discoveryv1.ForNode) string { return n.Name }, RefuseNode)
}

// RefuseZone says what is wrong with the name of a zone in a hint, nil for nothing: it is the value of a label, and not empty.
func RefuseZone(name string) []string {
	switch {
	case name == "":
		return []string{"a zone hint names a zone"}
	case PlainValue(name):
		return nil
	default:
		return validation.IsValidLabelValue(name)
	}
}

// RefuseNode says what is wrong with the name of a Node, in a hint and elsewhere, nil for nothing: it is a DNS subdomain.
func RefuseNode(name string) []string {
	if PlainName(name, true) {
		return nil
	}
	return apivalidation.NameIsDNSSubdomain(name, false)
}

// refuseNames says what the API server has against the hints of one kind: too many, a name that is none, or one twice.
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
