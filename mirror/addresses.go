package mirror

import (
	"cmp"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// endpointAddress is an address as it stands in one place of the input: with these ports, and ready for them or not.
type endpointAddress struct {
	number netip.Addr              // IPv4 as the IPv6 address that maps it, so that all addresses have one order
	from   *corev1.EndpointAddress // read-only
	ports  int32                   // in portLists
	ready  bool
	at     position
}

// position is where in the input an address stands: in which list of addresses, and where in it.
type position struct{ list, index int }

// parse reads the IP of an address, of any spelling. It is false for what is no IP, and for addresses that the API server
// refuses in Endpoints and slices.
func parse(ip string) (number netip.Addr, ok bool) {
	addr, ok := endpoint.Addr(ip)
	if !ok || !accept.Reachable(addr) {
		return netip.Addr{}, false
	}
	return netip.AddrFrom16(addr.As16()), true
}

// portEntry is an address as it is published in one list of ports: what all places of the input say of it, brought together.
type portEntry struct {
	address *endpointAddress // whose hostname, node and target are taken
	ports   int32            // a list that is its own only part
	ready   bool
}

// gathering brings together what the input says of each address, so that the result depends on which address serves which
// ports, and not on how the input spells it.
type gathering struct {
	list     []endpointAddress
	ports    portLists
	apart    bool // an address of several lists of ports is several addresses, as Kubernetes mirrors it
	entries  []portEntry
	repeated []*endpointAddress // places that say nothing new
}

// gather fills the entries, in the order of addresses.
func (g *gathering) gather() {
	order := make([]*endpointAddress, len(g.list))
	for i := range order {
		order[i] = &g.list[i]
	}
	slices.SortFunc(order, g.compare)
	g.entries = make([]portEntry, 0, len(order))
	for len(order) > 0 {
		first, n := order[0], 1
		for n < len(order) && g.same(first, order[n]) {
			n++
		}
		if parts := g.ports.parts[first.ports]; n == 1 && len(parts) == 1 {
			g.entries = append(g.entries, portEntry{first, parts[0], first.ready})
		} else {
			g.join(order[:n])
		}
		order = order[n:]
	}
}

// join adds the entries of one address: those of the ports for which some place says ready, and those of all other ports. Where
// there are no ports at all, that is something to be ready with, too. The first place is the one whose content is taken.
func (g *gathering) join(all []*endpointAddress) {
	seen, ready := map[int32]bool{}, map[endpoint.Port]bool{}
	var ports []endpoint.Port
	for _, a := range all {
		if seen[a.ports] { // by one that was ready if this one is, because ready ones come first
			g.repeated = append(g.repeated, a)
			continue
		}
		seen[a.ports] = true
		for _, p := range g.ports.lists[a.ports] {
			if _, known := ready[p]; !known {
				ports = append(ports, p)
			}
			ready[p] = ready[p] || a.ready
		}
	}
	for _, wanted := range [2]bool{true, false} {
		var some []endpoint.Port
		for _, p := range ports {
			if ready[p] == wanted {
				some = append(some, p)
			}
		}
		if len(some) == 0 {
			continue
		}
		for _, list := range g.ports.parts[g.ports.number(some)] {
			g.entries = append(g.entries, portEntry{all[0], list, wanted})
		}
	}
}

// same reports whether two places are about one address: IP, hostname, and the targetRef's kind, namespace and name, as slicer
// identifies endpoints.
func (g *gathering) same(a, b *endpointAddress) bool {
	return a.number == b.number && endpoint.CompareIdentity(a.from, b.from) == 0 && (!g.apart || a.ports == b.ports)
}

// compare orders places by address; those about one address the ready ones first, then by content, so that the first says what
// is published.
func (g *gathering) compare(a, b *endpointAddress) int {
	if d := a.number.Compare(b.number); d != 0 {
		return d
	}
	if d := endpoint.CompareIdentity(a.from, b.from); d != 0 {
		return d
	}
	if g.apart && a.ports != b.ports {
		return cmp.Compare(a.ports, b.ports)
	}
	if a.ready != b.ready {
		if a.ready {
			return -1
		}
		return 1
	}
	return cmp.Or(endpoint.CompareContent(a.from, b.from), cmp.Compare(a.ports, b.ports))
}

// quota is how many entries of a list of ports are taken.
type quota struct{ ready, notReady int }

func (q *quota) of(ready bool) *int {
	if ready {
		return &q.ready
	}
	return &q.notReady
}

// quotas counts the entries of each list.
func (g *gathering) quotas() []quota {
	quotas := make([]quota, len(g.ports.lists))
	for _, e := range g.entries {
		*quotas[e.ports].of(e.ready)++
	}
	return quotas
}

// cut takes entries off that exceed their quota, the last ones of the order, and calls back for each.
func (g *gathering) cut(quotas []quota, over func(portEntry)) {
	taken := g.entries[:0]
	for _, e := range g.entries {
		if left := quotas[e.ports].of(e.ready); *left > 0 {
			*left--
			taken = append(taken, e)
		} else {
			over(e)
		}
	}
	g.entries = taken
}
