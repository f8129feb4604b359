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

// ByAddress yields the endpoints of a Service by address, for readers that know an address once and with all its ports:
// each group is one address, in the order of a View, and in it ports by name and protocol, then number. A port that is
// renamed leaves no gap in its group. The groups are the caller's.
func (v View) ByAddress(service types.NamespacedName) iter.Seq[[]PortEndpoint] {
	return v.groups(service, addressOf)
}

// ByTarget yields the endpoints of a Service by what they stand for, for readers that know a Pod once, with all its
// addresses of both families and all its ports. Targets are the same by UID, else by kind, namespace and name; an
// address without one is a group of its own. Groups are in the order of their first address, and in each are addresses
// in the order of a View, then ports. The groups are the caller's.
func (v View) ByTarget(service types.NamespacedName) iter.Seq[[]PortEndpoint] {
	return v.groups(service, func(e *content.Endpoint) any {
		switch {
		case e.TargetUID != "":
			return e.TargetUID
		case e.TargetName != "":
			return e.Target()
		default:
			return addressOf(e)
		}
	})
}

// addressOf is a key for an endpoint's address: a host or a text.
func addressOf(e *content.Endpoint) any {
	if e.Host.IsName() {
		return e.FQDN
	}
	return e.Host
}

// groups yields the endpoints of a Service with one key, in the order of addresses.
func (v View) groups(service types.NamespacedName, key func(*content.Endpoint) any) iter.Seq[[]PortEndpoint] {
	return func(yield func([]PortEndpoint) bool) {
		type portClaim struct {
			port ServicePort
			view.Claim
		}
		var all []portClaim
		s := v.at().Service(service)
		for p := range s.Ports.All {
			for it := range (*p).Items.All {
				all = append(all, portClaim{portOf(s, *p), it.Claim})
			}
		}
		slices.SortStableFunc(all, func(a, b portClaim) int { return content.CompareHosts(a.Endpoint, b.Endpoint) })
		var order []any
		groups := map[any][]portClaim{}
		for _, c := range all {
			k := key(c.Endpoint)
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], c)
		}
		for _, k := range order {
			group := make([]PortEndpoint, len(groups[k]))
			for i, c := range groups[k] {
				group[i] = PortEndpoint{Port: c.port, Endpoint: endpointOf(c.Claim)}
			}
			if !yield(group) {
				return
			}
		}
	}
}
