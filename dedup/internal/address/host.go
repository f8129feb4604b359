// Package address represents the addresses of endpoints as numbers. It parses addresses, and sorts
// them together with port numbers.
package address

import (
	"cmp"
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Host is an IP address as a number of 128 bits, an IPv4 address in its IPv6-mapped form. Unlike a
// netip.Addr it has no pointer. The zero Host stands for a name, because no endpoint has this
// address. The text of the name is kept elsewhere.
type Host struct{ hi, lo uint64 }

const mapped = 0xffff << 32 // ::ffff:0:0

// Of returns an IP address as a Host.
func Of(a netip.Addr) Host {
	b := a.As16()
	return Host{hi: binary.BigEndian.Uint64(b[:8]), lo: binary.BigEndian.Uint64(b[8:])}
}

// IsName reports whether the host stands for a name.
func (h Host) IsName() bool { return h == Host{} }

// Addr returns the IP address, and the zero Addr for a name.
func (h Host) Addr() netip.Addr {
	switch {
	case h.IsName():
		return netip.Addr{}
	case h.Family() == IPv4:
		return netip.AddrFrom4([4]byte{byte(h.lo >> 24), byte(h.lo >> 16), byte(h.lo >> 8), byte(h.lo)})
	}
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], h.hi)
	binary.BigEndian.PutUint64(b[8:], h.lo)
	return netip.AddrFrom16(b)
}

// Family returns IPv4 or IPv6. The host must not be a name.
func (h Host) Family() Family {
	if h.hi == 0 && h.lo>>32 == mapped>>32 {
		return IPv4
	}
	return IPv6
}

// Compare orders hosts as numbers.
func (h Host) Compare(o Host) int {
	if h.hi != o.hi {
		return cmp.Compare(h.hi, o.hi)
	}
	return cmp.Compare(h.lo, o.lo)
}

// Family is a set of address types, with one bit for each type, in the order of
// endpoint.AddressTypes.
type Family uint8

const (
	IPv4 Family = 1 << iota
	IPv6
	FQDN
)

// FamilyOf returns the family of an address type, and 0 if it is unknown.
func FamilyOf(t discoveryv1.AddressType) Family {
	if i := slices.Index(endpoint.AddressTypes[:], t); i >= 0 {
		return 1 << i
	}
	return 0
}

// Families joins the families of address types. nil and empty mean IPv4 and IPv6.
func Families(types []discoveryv1.AddressType) (all Family) {
	if len(types) == 0 {
		return IPv4 | IPv6
	}
	for _, t := range types {
		all |= FamilyOf(t)
	}
	return all
}

// Read parses an address of a slice whose addresses are of family f. ok says whether the text is
// such an address. The Host of a name is zero.
func Read(text string, f Family) (h Host, ok bool) {
	if f == FQDN {
		return Host{}, strings.TrimSuffix(text, ".") != ""
	}
	if ip, is := endpoint.IPv4(text); is {
		h = Host{lo: mapped | uint64(ip)}
	} else if addr, is := endpoint.Addr(text); is {
		h = Of(addr)
	}
	return h, !h.IsName() && f&h.Family() != 0 // no endpoint has the address ::
}
