package mirror

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
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
func (c *mentions) quotas(limit int) []quota {
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
func (c *mentions) cut(quotas []quota, over func(listing)) {
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
	c := m.mentions
	if !c.apart {
		c.cut(c.quotas(m.options.limit()), func(l listing) { m.skipMention(l.mention, OverLimit) })
	}
	b := newBuilder(c, m.options)
	for i := range c.listings {
		b.add(&c.listings[i])
	}
	return b.sorted()
}

// builder fills groups: two for each list of ports, that of IPv4 and that of IPv6. Its arrays are never grown, for
// endpoints point into them.
type builder struct {
	mentions  *mentions
	groups    []*slicer.Group
	addresses []string
	hostnames []string
	states    [2]discoveryv1.EndpointConditions // of not ready and of ready endpoints
}

func newBuilder(c *mentions, o Options) *builder {
	b := &builder{
		mentions: c, groups: make([]*slicer.Group, 2*len(c.ports.lists)), addresses: make([]string, 0, len(c.listings)),
		states: [2]discoveryv1.EndpointConditions{
			conditions.State{}.Conditions(),
			conditions.State{Ready: true, Serving: true}.Conditions(),
		},
	}
	if o.asKubernetes() {
		for i := range b.states {
			b.states[i] = discoveryv1.EndpointConditions{Ready: b.states[i].Ready}
		}
	}
	sizes, hostnames := make([]int, len(b.groups)), 0
	for i := range c.listings {
		it := &c.list[c.listings[i].mention]
		sizes[b.group(&c.listings[i], it)]++
		if c.address(it).Hostname != "" {
			hostnames++
		}
	}
	b.hostnames = make([]string, 0, hostnames)
	for i, size := range sizes {
		if size > 0 {
			b.begin(i, size)
		}
	}
	return b
}

var families = [2]discoveryv1.AddressType{discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6}

func (b *builder) group(l *listing, it *mention) int {
	i := 2 * int(l.ports)
	if it.addressType() == discoveryv1.AddressTypeIPv6 {
		i++
	}
	return i
}

func (b *builder) begin(group, size int) {
	b.groups[group] = &slicer.Group{
		AddressType: families[group%2],
		Ports:       slicePorts(b.mentions.ports.lists[group/2]),
		Endpoints:   make([]discoveryv1.Endpoint, 0, size),
	}
}

// add appends an endpoint to its group.
func (b *builder) add(l *listing) {
	it := &b.mentions.list[l.mention]
	g := b.groups[b.group(l, it)]
	n := len(g.Endpoints)
	g.Endpoints = g.Endpoints[:n+1]
	e, a := &g.Endpoints[n], b.mentions.address(it)
	b.addresses = append(b.addresses, b.mentions.ip(it))
	i := len(b.addresses)
	e.Addresses, e.Conditions, e.TargetRef = b.addresses[i-1:i:i], b.states[0], a.TargetRef
	if l.ready {
		e.Conditions = b.states[1]
	}
	if endpoint.Text(a.NodeName) != "" {
		e.NodeName = a.NodeName
	}
	if a.Hostname != "" {
		b.hostnames = append(b.hostnames, a.Hostname)
		e.Hostname = &b.hostnames[len(b.hostnames)-1]
	}
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
		return b.mentions.ports.compare(int32(x/2), int32(y/2))
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
