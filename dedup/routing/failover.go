package routing

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// Tier is a group of endpoints that are used together.
type Tier struct {
	// Place is how near the endpoints are, by place or by their hints. It is Anywhere for endpoints
	// that terminate or are not ready. With Policy.Local, all are on the reader's node.
	Place Place
	// AddressType is their type, empty with Policy.AnyFamily.
	AddressType discoveryv1.AddressType
	// Endpoints are sorted as in the argument.
	Endpoints []dedup.Endpoint
}

// Failover returns the endpoints in tiers, each to be used if the tiers before it fail: near
// endpoints, other ready ones, terminating ones that serve, and, with LastResort, endpoints that
// are not ready. Each endpoint is in at most one tier. The tiers of one address type are together,
// and the first of them is what Route returns. To stay in one place, use only its tiers.
func Failover(endpoints []dedup.Endpoint, at Location, p Policy) (list []Tier) {
	r := read(endpoints, at, &p)
	all := make([]dedup.Endpoint, 0, len(endpoints))
	for f := range r.votes {
		if r.votes[f].seen == 0 {
			continue
		}
		d := r.votes[f].decide()
		for tier := range d.tiers {
			from := len(all)
			for i := range endpoints {
				if r.family(&endpoints[i]) != f || r.roles[i]&d.tiers[tier] == 0 {
					continue
				}
				r.roles[i] = 0 // no later tier has it
				all = append(all, endpoints[i])
			}
			if n := len(all); n > from {
				list = append(list, Tier{Place: places[tier], AddressType: addressTypes[f], Endpoints: all[from:n:n]})
			}
		}
	}
	return list
}
