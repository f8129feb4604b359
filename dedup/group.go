package dedup

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup/internal/content"
	"github.com/slicewright/slicewright/dedup/internal/view"
)

// PortEndpoint is an endpoint and the service port it is behind.
type PortEndpoint struct {
	Port     ServicePort
	Endpoint Endpoint
}

// unspelled is a PortEndpoint before it is made.
type unspelled struct {
	port ServicePort
	item *view.Item
}

func (p unspelled) spell() PortEndpoint {
	return PortEndpoint{Port: p.port, Endpoint: endpointOf(p.item, &p.port)}
}

// endpoints lists the endpoints of a Service, port by port.
func (v View) endpoints(service types.NamespacedName) []unspelled {
	s := v.service(service)
	if s == nil {
		return nil
	}
	var all []unspelled
	for p := range s.Ports.All {
		for it := range (*p).Items.All {
			all = append(all, unspelled{port: portOf(s, *p), item: it})
		}
	}
	return all
}

// ByAddress yields the endpoints of a Service by address, for readers that know an address once and with all its ports:
// each group is one address, in the order of a View, and in it ports by name and protocol, then number. A port that is
// renamed leaves no gap in its group. The groups are the caller's.
func (v View) ByAddress(service types.NamespacedName) iter.Seq[[]PortEndpoint] {
	return func(yield func([]PortEndpoint) bool) {
		all := v.endpoints(service)
		slices.SortStableFunc(all, func(a, b unspelled) int { return content.CompareHosts(a.item.Endpoint, b.item.Endpoint) })
		eachGroup(all, func(a, b unspelled) bool { return content.CompareHosts(a.item.Endpoint, b.item.Endpoint) == 0 }, yield)
	}
}

// ByTarget yields the endpoints of a Service by what they stand for, for readers that know a Pod once, with all its
// addresses of both families and all its ports. Targets are the same by UID, else by kind, namespace and name; an
// address without one is a group of its own. Groups are in the order of their first address, and in each are addresses
// in the order of a View, then ports. The groups are the caller's.
func (v View) ByTarget(service types.NamespacedName) iter.Seq[[]PortEndpoint] {
	return func(yield func([]PortEndpoint) bool) {
		all := v.endpoints(service)
		slices.SortStableFunc(all, func(a, b unspelled) int { return content.CompareHosts(a.item.Endpoint, b.item.Endpoint) })
		rank, first := map[any]int{}, make(map[*view.Item]int, len(all))
		for i, p := range all {
			id := identity(p.item.Endpoint)
			if _, known := rank[id]; !known {
				rank[id] = i
			}
			first[p.item] = rank[id]
		}
		slices.SortStableFunc(all, func(a, b unspelled) int { return first[a.item] - first[b.item] })
		eachGroup(all, func(a, b unspelled) bool { return first[a.item] == first[b.item] }, yield)
	}
}

// identity is a key for what an endpoint stands for.
func identity(e *content.Endpoint) any {
	switch {
	case e.Target.UID != "":
		return e.Target.UID
	case e.Target.Name != "":
		return e.Target
	case e.Host.IsName():
		return e.FQDN()
	default:
		return e.Host
	}
}

// eachGroup yields runs of endpoints that are the same.
func eachGroup(all []unspelled, same func(a, b unspelled) bool, yield func([]PortEndpoint) bool) {
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
