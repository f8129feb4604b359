package dedup

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// PortEndpoint is an endpoint and the service port it is behind.
type PortEndpoint struct {
	Port     ServicePort
	Endpoint Endpoint
}

// place is a PortEndpoint that is not yet spelled out.
type place struct {
	port *portView
	item *item
}

func (p place) spell() PortEndpoint {
	return PortEndpoint{Port: p.port.name, Endpoint: p.item.endpoint()}
}

// places lists the endpoints of a Service, port by port.
func (v View) places(service types.NamespacedName) []place {
	s := v.service(service)
	if s == nil {
		return nil
	}
	var all []place
	s.ports.All(func(p *portView) bool {
		p.items.All(func(it *item) bool {
			all = append(all, place{port: p, item: it})
			return true
		})
		return true
	})
	return all
}

// ByAddress yields the endpoints of a Service by address, for readers that know an address once and with all its ports:
// each group is one address, in the order of a View, and in it ports by name and protocol, then number. A port that is
// renamed leaves no gap in its group. The groups are the caller's.
func (v View) ByAddress(service types.NamespacedName) iter.Seq[[]PortEndpoint] {
	return func(yield func([]PortEndpoint) bool) {
		all := v.places(service)
		slices.SortStableFunc(all, func(a, b place) int { return compareHosts(a.item.record, b.item.record) })
		eachGroup(all, func(a, b place) bool { return compareHosts(a.item.record, b.item.record) == 0 }, yield)
	}
}

// ByTarget yields the endpoints of a Service by what they stand for, for readers that know a Pod once, with all its
// addresses of both families and all its ports. Targets are the same by UID, else by kind, namespace and name; an
// address without one is a group of its own. Groups are in the order of their first address, and in each are addresses
// in the order of a View, then ports. The groups are the caller's.
func (v View) ByTarget(service types.NamespacedName) iter.Seq[[]PortEndpoint] {
	return func(yield func([]PortEndpoint) bool) {
		all := v.places(service)
		slices.SortStableFunc(all, func(a, b place) int { return compareHosts(a.item.record, b.item.record) })
		rank, first := map[any]int{}, make(map[*item]int, len(all))
		for i, p := range all {
			id := p.item.record.identity()
			if _, known := rank[id]; !known {
				rank[id] = i
			}
			first[p.item] = rank[id]
		}
		slices.SortStableFunc(all, func(a, b place) int { return first[a.item] - first[b.item] })
		eachGroup(all, func(a, b place) bool { return first[a.item] == first[b.item] }, yield)
	}
}

// identity is a key for what a record stands for.
func (r *record) identity() any {
	switch {
	case r.uid != "":
		return r.uid
	case r.name != "":
		return Target{Kind: r.shape.kind, Namespace: r.shape.namespace, Name: r.name}
	case r.host == (host{}):
		return r.rest().fqdn
	default:
		return r.host
	}
}

// eachGroup yields runs of places that are the same.
func eachGroup(all []place, same func(a, b place) bool, yield func([]PortEndpoint) bool) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && same(all[0], all[n]) {
			n++
		}
		group := make([]PortEndpoint, n)
		for i, p := range all[:n] {
			group[i] = p.spell()
		}
		if !yield(group) {
			return
		}
		all = all[n:]
	}
}
