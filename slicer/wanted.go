package slicer

import (
	"encoding/binary"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/endpoint"
)

const none = -1 // no slice, no group, no item, no address type

// group is a port set that is wanted for one address type.
type group struct {
	typ   int32 // index into addressTypes
	ports []endpoint.Port
	byUID bool  // the targetRef's UID identifies its endpoints
	rank  int32 // its place in the plan's order
	count int32 // accepted endpoints
	first int32 // the first of its items
	next  int32 // the item that the next existing endpoint of the group is likely to be
	votes int32 // homeless endpoints in the slice that reassign looks at; 0 otherwise
}

// item is one accepted wanted endpoint.
type item struct {
	endpoint *discoveryv1.Endpoint
	held     *discoveryv1.Endpoint // what a slice of ours has for it, at home or, for one without home, anywhere
	source   source
	ip       uint32 // its one address, where that is a canonical IPv4 text; else 0
	group    int32
	home     int32 // the live slice that holds it and that it stays in, or none
	slice    int32 // where it will be, or none
	seenIn   int32 // the last slice that reassign found it in
	matched  bool  // home was found by ports: the pair (endpoint, ports) is there already
	exact    bool  // held is equal to the letter, hints apart
}

// source is where an endpoint stands in the input, for the path of an error.
type source struct{ group, endpoint int32 }

// collect merges the wanted groups, sets bad endpoints aside and fills p.items.
func (p *planner) collect() {
	p.items = slices.Grow(p.items, countEndpoints(p.in.Groups))
	p.ascending = true
	for i := range p.in.Groups {
		p.collectGroup(&p.in.Groups[i], int32(i))
	}
	if p.in.Options.ByTargetUID {
		p.identifyByUID()
	}
	if !p.ascending && !p.findDistinct() {
		p.index()
		p.settleDuplicates()
	}
	for i := range p.items {
		g := &p.groups[p.items[i].group]
		if g.count == 0 {
			g.first, g.next = int32(i), int32(i)
		}
		g.count++
	}
	p.rankGroups()
}

func countEndpoints(groups []Group) int {
	total := 0
	for i := range groups {
		total += len(groups[i].Endpoints)
	}
	return total
}

func (p *planner) collectGroup(in *Group, i int32) {
	var ids [len(addressTypes)]int32
	for t := range ids {
		ids[t] = none
	}
	fixed := typeIndex(in.AddressType)
	if fixed != none {
		p.types[fixed] = true
		if i > 0 && p.in.Groups[i-1].AddressType == in.AddressType && sameList(p.in.Groups[i-1].Ports, in.Ports) {
			ids[fixed] = p.lastGroup
		} else {
			ids[fixed] = p.internGroup(fixed, in)
		}
		p.lastGroup = ids[fixed]
	}
	for j := range in.Endpoints {
		if j%prefetchDistance == 0 && !p.ascending {
			p.sink += prefetchAddresses(in.Endpoints[j:min(j+prefetchDistance, len(in.Endpoints))])
		}
		e := &in.Endpoints[j]
		at := source{i, int32(j)}
		ip, plain := acceptable(e, fixed)
		t := fixed
		if plain {
			t = ipv4
		} else if t == none {
			t = ownType(e)
		}
		if !plain || p.in.Options.Hints.Mode == hints.Given && e.Hints != nil {
			if no := p.refuse(e, t); no != nil {
				p.reject(in, at, t, no.reason, no.err)
				continue
			}
		}
		if len(p.in.Set.AddressTypes) > 0 && !p.types[t] {
			p.reject(in, at, t, UnwantedAddressType, func(path *field.Path) *field.Error {
				return field.NotSupported(path.Child("addresses").Index(0), e.Addresses[0], p.in.Set.AddressTypes)
			})
			continue
		}
		p.types[t] = true
		if ids[t] == none {
			ids[t] = p.internGroup(t, in)
		}
		it := p.add(ids[t], at, ip)
		it.endpoint = e
		p.noteOrder(it)
	}
}

// sameList reports whether two lists of ports are one in memory. It spares a look at ports that groups have in common.
func sameList(a, b []discoveryv1.EndpointPort) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// add makes an item without endpoint in the room that collect has made.
func (p *planner) add(group int32, at source, ip uint32) *item {
	n := len(p.items)
	p.items = p.items[:n+1]
	it := &p.items[n]
	it.group, it.source, it.ip, it.home, it.slice, it.seenIn = group, at, ip, none, none, none
	return it
}

// noteOrder notes whether the addresses of each group still ascend with the newest item.
func (p *planner) noteOrder(it *item) {
	if n := len(p.items); n > 1 && p.ascending {
		last := &p.items[n-2]
		p.ascending = it.group > last.group || it.group == last.group && it.ip > last.ip
	}
	p.ascending = p.ascending && it.ip != 0
}

// findDistinct reports whether each item has one IPv4 address that no other item has, so that all are different endpoints.
// False says that it is not known.
func (p *planner) findDistinct() bool {
	if p.in.Options.ByTargetUID {
		return false
	}
	p.addresses.reset(len(p.items), &p.hasher)
	for i := range p.items {
		if ip := p.items[i].ip; ip == 0 || !p.addresses.add(ip) {
			return false
		}
	}
	p.distinct = true
	return true
}

// ownType is the address type of an endpoint whose group has none, or none where it has no address.
func ownType(e *discoveryv1.Endpoint) int {
	if len(e.Addresses) == 0 {
		return none
	}
	return typeIndex(endpoint.AddressType(e.Addresses[0]))
}

func (p *planner) refuse(e *discoveryv1.Endpoint, t int) *refusal {
	if p.in.Options.Invalid == Pass && t != none {
		return nil
	}
	return refuse(e, t, p.in.Options.Hints.Mode)
}

// internGroup returns the id of the group with an address type and ports, new or known.
func (p *planner) internGroup(t int, in *Group) int32 {
	ports := endpoint.Ports(nil, in.Ports)
	id := p.groupID(t, ports)
	if id == none {
		id = int32(len(p.groups))
		p.groupIDs[string(p.buf)] = id
		p.groups = append(p.groups, group{typ: int32(t), ports: ports})
	}
	return id
}

// groupID looks a port set up and leaves its key in p.buf.
func (p *planner) groupID(t int, ports []endpoint.Port) int32 {
	p.buf = endpoint.AppendPorts(binary.AppendVarint(p.buf[:0], int64(t)), ports)
	if id, ok := p.groupIDs[string(p.buf)]; ok {
		return id
	}
	return none
}

// rankGroups finds the plan's order of groups: by address type, then by ports.
func (p *planner) rankGroups() {
	p.order = p.order[:0]
	for g := range p.groups {
		p.order = append(p.order, int32(g))
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		g, h := &p.groups[a], &p.groups[b]
		if g.typ != h.typ {
			return int(g.typ - h.typ)
		}
		return slices.CompareFunc(g.ports, h.ports, endpoint.Port.Compare)
	})
	for rank, g := range p.order {
		p.groups[g].rank = int32(rank)
	}
}
