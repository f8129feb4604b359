package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// hash hashes the identities of the items that have come since it was last called.
func (p *planner) hash() {
	if len(p.hashes) == 0 {
		p.hashes = slices.Grow(p.hashes, cap(p.items))
	}
	for i := len(p.hashes); i < len(p.items); i++ {
		it := &p.items[i]
		if it.ip != 0 {
			p.hashes = append(p.hashes, p.hashAt(it.ip, it.endpoint, it.group))
		} else {
			p.hashes = append(p.hashes, p.identityHash(it.endpoint, it.group))
		}
	}
}

func (p *planner) same(a, b *discoveryv1.Endpoint, group int32) bool {
	if p.groups[group].byUID {
		return uidOf(a) == uidOf(b)
	}
	return endpoint.SameEndpoint(a, b)
}

// identityHash hashes what identifies an endpoint in a group.
func (p *planner) identityHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if p.groups[group].byUID {
		return p.hasher.Salt(p.hasher.String(uidOf(e)), group)
	}
	return p.hasher.Salt(p.hasher.Endpoint(e), group)
}

// speltHash is identityHash for an endpoint whose address is canonical as it is spelt.
func (p *planner) speltHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if p.groups[group].byUID {
		return p.identityHash(e, group)
	}
	return p.hasher.Salt(p.hasher.AsSpelt(e), group)
}

// hashAt is identityHash for an endpoint whose only address is known.
func (p *planner) hashAt(ip uint32, e *discoveryv1.Endpoint, group int32) uint64 {
	if p.groups[group].byUID {
		return p.identityHash(e, group)
	}
	return p.hasher.Salt(p.hasher.At(ip, e), group)
}

func uidOf(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	return string(e.TargetRef.UID)
}

// onlyIPv4 is an endpoint's one address, where that is a canonical IPv4 text; else 0.
func onlyIPv4(e *discoveryv1.Endpoint) uint32 {
	if len(e.Addresses) != 1 {
		return 0
	}
	ip, _ := endpoint.IPv4(e.Addresses[0])
	return ip
}

// identifyByUID decides for each group whether UIDs identify its endpoints.
func (p *planner) identifyByUID() {
	type groupUID struct {
		group int32
		uid   string
	}
	for g := range p.groups {
		p.groups[g].byUID = true
	}
	seen := make(map[groupUID]bool, len(p.items))
	for i := range p.items {
		it := &p.items[i]
		u := groupUID{it.group, uidOf(it.endpoint)}
		if u.uid == "" || seen[u] {
			p.groups[it.group].byUID = false
		}
		seen[u] = true
	}
	p.ascending = false
}
