package mirror

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/key"
	"github.com/slicewright/slicewright/slicer"
)

// quota is how many listings of a list of ports are taken: as many ready ones as there is room for, then others.
type quota struct{ ready, notReady int }

func (q *quota) of(ready bool) *int {
	if ready {
		return &q.ready
	}
	return &q.notReady
}

// quotas counts the listings of each list, and cuts the counts down to a limit, if there is one.
func (c *claims) quotas(limit int) []quota {
	quotas := make([]quota, len(c.ports.lists))
	for i := range c.listings {
		*quotas[c.listings[i].ports].of(c.listings[i].ready)++
	}
	if limit > 0 {
		for i := range quotas {
			q := &quotas[i]
			q.ready = min(q.ready, limit)
			q.notReady = min(q.notReady, limit-q.ready)
		}
	}
	return quotas
}

// cut takes listings off that exceed their quota, the last ones of the order, and calls back for each.
func (c *claims) cut(quotas []quota, over func(listing)) {
	taken := c.listings[:0]
	for _, l := range c.listings {
		if left := quotas[l.ports].of(l.ready); *left > 0 {
			*left--
			taken = append(taken, l)
		} else {
			over(l)
		}
	}
	c.listings = taken
}

// groups makes one group of each family and list of ports, in this order, with its endpoints in the order of addresses.
func (m *mirroring) groups() []slicer.Group {
	c := m.claims
	if m.options.Excess == LeaveOut {
		c.cut(c.quotas(m.options.limit()), func(l listing) { m.skipClaim(l.claim, OverLimit) })
	}
	b := builder{claims: c, groups: make([]*slicer.Group, 2*len(c.ports.lists)), texts: make([]string, 0, 2*len(c.listings))}
	sizes := make([]int, len(b.groups))
	for _, l := range c.listings {
		sizes[b.group(l)]++
	}
	for i, size := range sizes {
		if size > 0 {
			b.begin(i, size)
		}
	}
	states := [2]discoveryv1.EndpointConditions{
		conditions.State{}.Conditions(),
		conditions.State{Ready: true, Serving: true}.Conditions(),
	}
	for _, l := range c.listings {
		b.add(l, states)
	}
	return b.sorted()
}

// builder fills groups: two for each list of ports, that of IPv4 and that of IPv6.
type builder struct {
	claims *claims
	groups []*slicer.Group
	texts  []string // addresses and hostnames, which endpoints point to: never grown
}

var families = [2]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

func (b *builder) group(l listing) int {
	i := 2 * int(l.ports)
	if b.claims.list[l.claim].addressType() == discoveryv1.AddressTypeIPv6 {
		i++
	}
	return i
}

func (b *builder) begin(group, size int) {
	b.groups[group] = &slicer.Group{
		AddressType: families[group%2],
		Ports:       slicePorts(b.claims.ports.lists[group/2]),
		Endpoints:   make([]discoveryv1.Endpoint, 0, size),
	}
}

// add appends an endpoint, whose conditions are those of not ready or of ready ones.
func (b *builder) add(l listing, states [2]discoveryv1.EndpointConditions) {
	a := b.claims.list[l.claim].address
	e := discoveryv1.Endpoint{
		Addresses: b.text(key.Canonical(a.IP)), Conditions: states[0], TargetRef: a.TargetRef,
	}
	if l.ready {
		e.Conditions = states[1]
	}
	if text(a.NodeName) != "" {
		e.NodeName = a.NodeName
	}
	if a.Hostname != "" {
		e.Hostname = &b.text(a.Hostname)[0]
	}
	g := b.groups[b.group(l)]
	g.Endpoints = append(g.Endpoints, e)
}

func (b *builder) text(s string) []string {
	b.texts = append(b.texts, s)
	n := len(b.texts)
	return b.texts[n-1 : n : n]
}

func (b *builder) sorted() []slicer.Group {
	var order []int
	for i, g := range b.groups {
		if g != nil {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		if x%2 != y%2 {
			return x%2 - y%2
		}
		return b.claims.ports.compare(int32(x/2), int32(y/2))
	})
	groups := make([]slicer.Group, len(order))
	for n, i := range order {
		groups[n] = *b.groups[i]
	}
	if len(groups) == 0 {
		return nil
	}
	return groups
}
