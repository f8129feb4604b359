package dedup

import (
	"cmp"
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// host is an address as a number of 128 bits, an IPv4 address in its IPv6-mapped form, because numbers compare faster
// than text. Zero, which is no address of an endpoint, stands for all names; their text is in the record.
type host struct{ hi, lo uint64 }

const mapped = 0xffff << 32 // ::ffff:0:0

func hostOf(a netip.Addr) host {
	b := a.As16()
	return host{hi: binary.BigEndian.Uint64(b[:8]), lo: binary.BigEndian.Uint64(b[8:])}
}

func (h host) addr() netip.Addr {
	switch {
	case h == host{}:
		return netip.Addr{}
	case h.family() == ipv4:
		return netip.AddrFrom4([4]byte{byte(h.lo >> 24), byte(h.lo >> 16), byte(h.lo >> 8), byte(h.lo)})
	}
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], h.hi)
	binary.BigEndian.PutUint64(b[8:], h.lo)
	return netip.AddrFrom16(b)
}

func (h host) family() family {
	if h.hi == 0 && h.lo>>32 == mapped>>32 {
		return ipv4
	}
	return ipv6
}

func (h host) compare(o host) int {
	if h.hi == o.hi {
		return cmp.Compare(h.lo, o.lo)
	}
	return cmp.Compare(h.hi, o.hi)
}

// record is one address of one endpoint of one slice, the same for all ports of the slice. It never changes once a
// view or a slice's holding points to it. It is small, because there is one for every endpoint of a cluster: what many
// endpoints of a slice have in common is in its shape, and what few of them have in more.
type record struct {
	host  host
	shape *shape
	more  *more // nil for most
	node  string
	name  string // of the target
	uid   types.UID
}

func (r *record) source() *source             { return r.shape.source }
func (r *record) usability() decide.Usability { return r.shape.usability }

// source is the slice that a record is from, the same as long as the slice exists. Views read its name; the ages are for the
// index alone, because they change.
type source struct {
	slice          string
	age, ageBefore *age // now, and before the flush
	first          age  // of the slice when it came, in the source's own memory
}

func (s *source) setAge(now age) {
	s.ageBefore = s.age
	switch {
	case s.age == nil:
		s.first = now
		s.age = &s.first
	case s.age.compare(now) != 0:
		changed := now
		s.age = &changed
	}
}

// sameAge reports whether the slice is as new as before the flush.
func (s *source) sameAge() bool { return s.age == s.ageBefore }

// more is what only some endpoints have.
type more struct {
	fqdn, hostname string
	nodes          []discoveryv1.ForNode
}

var nothingMore more

func (r *record) rest() *more {
	if r.more == nil {
		return &nothingMore
	}
	return r.more
}

// endpoint is what readers see of a record under a port number.
func (r *record) endpoint(port uint16) Endpoint {
	s, m := r.shape, r.rest()
	return Endpoint{
		Address: r.host.addr(), FQDN: m.fqdn, Port: int32(port), State: stateOf(r.usability()),
		Hostname: m.hostname, NodeName: r.node, Zone: s.zone,
		Target:   r.target(),
		ForZones: s.zones, ForNodes: m.nodes, Slice: r.source().slice,
	}
}

func (r *record) target() Target {
	return Target{Kind: r.shape.kind, Namespace: r.shape.namespace, Name: r.name, UID: r.uid}
}

// compareHosts orders records by address.
func compareHosts(a, b *record) int {
	if c := a.host.compare(b.host); c != 0 || a.host != (host{}) {
		return c
	}
	return strings.Compare(a.more.fqdn, b.more.fqdn)
}

// compareRecords orders records by address, then by usability, the best first, then by all other fields but the slice.
func compareRecords(a, b *record) int {
	if c := compareHosts(a, b); c != 0 {
		return c
	}
	if c := cmp.Compare(b.usability(), a.usability()); c != 0 {
		return c
	}
	return compareFields(a, b)
}

// compareFields orders records by all fields but address, conditions and slice.
func compareFields(a, b *record) int {
	if a.node != b.node {
		return strings.Compare(a.node, b.node)
	}
	if c := compareTargets(a, b); c != 0 {
		return c
	}
	if a.shape != b.shape {
		if c := strings.Compare(a.shape.zone, b.shape.zone); c != 0 {
			return c
		}
		if c := slices.CompareFunc(a.shape.zones, b.shape.zones, compareForZones); c != 0 {
			return c
		}
	}
	if a.more == b.more {
		return 0
	}
	x, y := a.rest(), b.rest()
	if c := strings.Compare(x.hostname, y.hostname); c != 0 {
		return c
	}
	return slices.CompareFunc(x.nodes, y.nodes, compareForNodes)
}

func compareTargets(a, b *record) int {
	if a.uid != b.uid {
		return cmp.Compare(a.uid, b.uid)
	}
	if a.name != b.name {
		return strings.Compare(a.name, b.name)
	}
	if a.shape == b.shape {
		return 0
	}
	return cmp.Or(strings.Compare(a.shape.kind, b.shape.kind), strings.Compare(a.shape.namespace, b.shape.namespace))
}

// differ returns the fields in which two records of one address differ.
func differ(a, b *record) (f Fields) {
	if a == b {
		return 0
	}
	x, y := a.rest(), b.rest()
	if a.usability() != b.usability() {
		f |= FieldConditions
	}
	if x.hostname != y.hostname {
		f |= FieldHostname
	}
	if a.node != b.node {
		f |= FieldNodeName
	}
	if a.shape.zone != b.shape.zone {
		f |= FieldZone
	}
	if compareTargets(a, b) != 0 {
		f |= FieldTarget
	}
	if !slices.Equal(a.shape.zones, b.shape.zones) || !slices.Equal(x.nodes, y.nodes) {
		f |= FieldHints
	}
	return f
}

func compareForZones(a, b discoveryv1.ForZone) int { return strings.Compare(a.Name, b.Name) }
func compareForNodes(a, b discoveryv1.ForNode) int { return strings.Compare(a.Name, b.Name) }
