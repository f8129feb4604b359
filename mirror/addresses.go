package mirror

import (
	"cmp"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// endpointAddress is an address at one position in the input, with the ports and the readiness that
// it has there.
type endpointAddress struct {
	number netip.Addr              // IPv4 as the IPv6 address that maps it, so that all addresses have one order
	from   *corev1.EndpointAddress // read-only
	ports  int32                   // the number of a list in portLists
	// unready is 0 if the address is ready at this position, else 1. It is a number, so that it can
	// be compared and used as an index.
	unready int
	at      position
}

// target returns the object that the address belongs to. It is zero if there is none.
func (a *endpointAddress) target() corev1.ObjectReference {
	return endpoint.TargetOf(&discoveryv1.Endpoint{TargetRef: a.from.TargetRef})
}

// position is a position in the input: the number of a list of addresses, and an index in this
// list.
type position struct{ list, index int }

// parse reads the IP of an address, in any spelling. ok is false if the text is not an IP, and for
// addresses that the API server refuses in Endpoints and slices.
func parse(ip string) (number netip.Addr, ok bool) {
	addr, ok := endpoint.Addr(ip)
	return netip.AddrFrom16(addr.As16()), ok && accept.Reachable(addr)
}

// portEntry is an address as it is published on one list of ports. It is joined from all positions
// of the address in the input.
type portEntry struct {
	address *endpointAddress // whose hostname, node and target are taken
	ports   int32            // the number of a list of ports that one slice can hold, see portList.parts
	unready int
}

// gathering joins all positions of each address in the input. So the result depends only on which
// address serves which ports, and not on how the input lists them.
type gathering struct {
	list     []endpointAddress
	ports    portLists
	entries  []portEntry
	repeated []*endpointAddress // addresses that the input has more than once with the same ports

	path   func(position) *field.Path
	limit  int
	advice string // the advice for addresses above the limit
	notices
}

// skip returns a Notice for an address that is left out.
func (a *endpointAddress) skip(reason string, err *field.Error) slicer.Notice {
	return slicer.Notice{Reason: reason, Object: a.target(), Address: a.from.IP, Path: err.Field, Err: err}
}

// warnOf adds a Warning for an address that is left out.
func (g *gathering) warnOf(a *endpointAddress, reason string, err *field.Error) {
	g.warnings = append(g.warnings, a.skip(reason, err))
}

// readPorts reads n ports. It adds a Warning for each port that cannot be published, and returns the
// number of the list of the other ports. ok is false if there are ports and none of them can be
// published, so that the addresses serve nothing.
func (g *gathering) readPorts(
	n int, port func(i int) endpoint.Port, at *field.Path, addresses int, advice string,
) (list int32, ok bool) {
	ports := make([]endpoint.Port, 0, n)
	for i := range n {
		p := port(i)
		if err := accept.RefusePort(p, at.Index(i)); err != nil {
			g.warn("InvalidPort", err)
		} else if p.Number == endpoint.AnyPort {
			g.warn("InvalidPort",
				field.Required(at.Index(i).Child("port"), "Endpoints cannot say all ports: give a number"))
		} else {
			ports = append(ports, p)
		}
	}
	if len(ports) == 0 && n > 0 {
		if addresses > 0 {
			g.warn("InvalidPort", field.Invalid(at, n, advice))
		}
		return 0, false
	}
	return g.ports.number(ports), true
}

// gather fills the entries, in the order of addresses.
func (g *gathering) gather() {
	slices.SortFunc(g.list, compare)
	g.entries = make([]portEntry, 0, len(g.list))
	for rest := g.list; len(rest) > 0; {
		n := 1
		for n < len(rest) && same(&rest[0], &rest[n]) {
			n++
		}
		g.join(rest[:n])
		rest = rest[n:]
	}
}

// join adds the entries of one address: one for the ports on which the address is ready at some
// position, and one for its other ports. The parameter all is the list of the address's positions.
// If the address has ports at any position, its positions without ports are ignored. The entries
// have the content of the first position.
func (g *gathering) join(all []endpointAddress) {
	if len(all) == 1 {
		g.publish(&all[0], all[0].ports, all[0].unready)
		return
	}
	seen, ready := map[int32]bool{}, map[endpoint.Port]bool{}
	var ports [2][]endpoint.Port // on which the address is ready, and not ready
	for i := range all {
		a := &all[i]
		if seen[a.ports] { // ready positions are sorted first, so the earlier position is ready if this one is
			g.repeated = append(g.repeated, a)
			continue
		}
		seen[a.ports] = true
		for _, p := range g.ports.lists[a.ports].ports {
			if a.unready == 0 {
				ports[0], ready[p] = append(ports[0], p), true
			} else if !ready[p] {
				ports[1] = append(ports[1], p)
			}
		}
	}
	hasPorts := slices.ContainsFunc(slices.Concat(ports[0], ports[1]),
		func(p endpoint.Port) bool { return p != noPorts })
	for unready, some := range ports {
		if hasPorts {
			some = slices.DeleteFunc(some, func(p endpoint.Port) bool { return p == noPorts })
		}
		if len(some) > 0 {
			g.publish(&all[0], g.ports.number(some), unready)
		}
	}
}

// publish adds the entries of an address on a list of ports.
func (g *gathering) publish(a *endpointAddress, list int32, unready int) {
	for _, part := range g.ports.lists[list].parts {
		g.entries = append(g.entries, portEntry{a, part, unready})
	}
}

// same reports whether the address is the same at two positions: IP, hostname, and kind, namespace
// and name of the targetRef. Package slicer identifies endpoints in the same way.
func same(a, b *endpointAddress) bool {
	return a.number == b.number && endpoint.CompareIdentity(a.from, b.from) == 0
}

// compare orders positions by address. Positions of one address are sorted ready first, then by
// content, because the content of the first position is published.
func compare(a, b endpointAddress) int {
	return cmp.Or(a.number.Compare(b.number), endpoint.CompareIdentity(a.from, b.from), a.unready-b.unready,
		endpoint.CompareContent(a.from, b.from), cmp.Compare(a.ports, b.ports))
}

// counts returns, for each list of ports, the numbers of its ready and of its other entries.
func (g *gathering) counts() [][2]int {
	counts := make([][2]int, len(g.ports.lists))
	for _, e := range g.entries {
		counts[e.ports][e.unready]++
	}
	return counts
}

// cut skips the last entries of each list of ports, as far as they exceed the quotas of the list.
func (g *gathering) cut(quotas [][2]int) {
	taken := g.entries[:0]
	for _, e := range g.entries {
		if left := &quotas[e.ports][e.unready]; *left > 0 {
			*left--
			taken = append(taken, e)
		} else {
			over := *e.address
			over.ports = e.ports
			err := field.TooMany(g.path(over.at), g.limit+1, g.limit)
			err.BadValue = over.from.IP
			err.Detail = g.advice
			if ports := g.ports.text(over.ports); ports != "" {
				err.Detail += " (ports " + ports + ")"
			}
			g.warnOf(&over, "TooManyAddressesToMirror", err)
		}
	}
	g.entries = taken
}
