package routing

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
)

// Route returns the endpoints to use, of each address type separately unless the policy has
// AnyFamily. Call it again when an endpoint or the Location changes. The list belongs to the
// caller, has the order of endpoints, and is nil if there are none.
//
// An address type uses the first of these groups that has endpoints, as in kube-proxy
// (CategorizeEndpoints in its pkg/proxy/topology.go):
//
//  1. The ready endpoints with a hint for the reader's node, if each ready endpoint has a hint for
//     nodes.
//  2. The ready endpoints with a hint for the reader's zone, if each ready endpoint has a hint for
//     zones.
//  3. All ready endpoints.
//  4. The endpoints that serve while they terminate, whatever their hints are.
//  5. With Policy.LastResort, the endpoints that are neither ready nor terminating.
//
// With Policy.Near, the ready endpoints of each place replace groups 1 and 2. With Policy.Local,
// all groups have only endpoints of the reader's node.
func Route(endpoints []dedup.Endpoint, at Location, p Policy) []dedup.Endpoint {
	r := read(endpoints, at, &p)
	used := r.used()
	n := 0
	for i := range endpoints {
		if r.roles[i]&used[r.family(&endpoints[i])] != 0 {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	picked := make([]dedup.Endpoint, 0, n)
	for i := range endpoints {
		if r.roles[i]&used[r.family(&endpoints[i])] != 0 {
			picked = append(picked, endpoints[i])
		}
	}
	return picked
}

// reading has the roles of all endpoints and the votes of their families.
type reading struct {
	roles []role // by endpoint
	votes [families]vote
	one   bool // all endpoints are in one family
}

const families = 4

// addressTypes are the types of families. The first one is that of all endpoints together, and of
// endpoints without an address.
var addressTypes = [families]discoveryv1.AddressType{
	"", discoveryv1.AddressTypeFQDN, discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6,
}

// family returns the index of an endpoint's family.
func (r *reading) family(e *dedup.Endpoint) int {
	switch {
	case r.one:
		return 0
	case e.Address.Is4():
		return 2
	case e.Address.Is6():
		return 3
	case e.FQDN != "":
		return 1
	default:
		return 0
	}
}

// read counts each endpoint in its family.
func read(endpoints []dedup.Endpoint, at Location, p *Policy) *reading {
	r := &reading{roles: make([]role, len(endpoints)), one: p.AnyFamily}
	for f := range r.votes {
		r.votes[f] = newVote(at, p)
	}
	if p.AnyFamily {
		r.hide(endpoints, at)
	}
	for i := range endpoints {
		if r.roles[i] != hidden {
			e := &endpoints[i]
			r.roles[i] = r.votes[r.family(e)].take(e, i)
		}
	}
	return r
}

// used returns the roles of the endpoints that the reader uses, by family.
func (r *reading) used() (used [families]role) {
	for f := range used {
		if d := r.votes[f].decide(); d.first < tiers {
			used[f] = d.tiers[d.first]
		}
	}
	return used
}

// target is the identity of the object that an endpoint stands for.
type target struct {
	kind, namespace, name string
	uid                   types.UID
}

// hide gives the role hidden to all endpoints of a target except for the best one. An endpoint
// without a target is the only one of its target.
func (r *reading) hide(endpoints []dedup.Endpoint, at Location) {
	best := make(map[target]int, len(endpoints))
	for i := range endpoints {
		ref := endpoints[i].TargetRef
		if ref == nil || ref.Name == "" && ref.UID == "" {
			continue
		}
		key := target{ref.Kind, ref.Namespace, ref.Name, ref.UID}
		other, known := best[key]
		switch {
		case !known:
			best[key] = i
		case at.rank(&endpoints[i]) < at.rank(&endpoints[other]):
			best[key] = i
			r.roles[other] = hidden
		default:
			r.roles[i] = hidden
		}
	}
}

// rank orders the endpoints of a target: by conditions, then by place. The lowest rank is used.
func (at *Location) rank(e *dedup.Endpoint) int {
	rank := 4 * int(stateOf(e, true)) // isReady < isDraining < isUnready < stopped
	switch near := at.near(e); {
	case near&atNode != 0:
		return rank
	case near&atZone != 0:
		return rank + 1
	case near&atRegion != 0:
		return rank + 2
	default:
		return rank + 3
	}
}
