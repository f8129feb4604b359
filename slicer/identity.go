package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// hash hashes the identities of the items that have come since it was last called.
func (f *finder) hash() {
	if len(f.hashes) == 0 {
		f.hashes = slices.Grow(f.hashes, cap(f.items))
	}
	for i := len(f.hashes); i < len(f.items); i++ {
		it := &f.items[i]
		if it.ip != 0 {
			f.hashes = append(f.hashes, f.hashAt(it.ip, it.endpoint, it.group))
		} else {
			f.hashes = append(f.hashes, f.identityHash(it.endpoint, it.group))
		}
	}
}

func (f *finder) same(a, b *discoveryv1.Endpoint, group int32) bool {
	if f.groups[group].byUID {
		return uidOf(a) == uidOf(b)
	}
	return endpoint.SameEndpoint(a, b)
}

// identityHash hashes what identifies an endpoint in a group.
func (f *finder) identityHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if f.groups[group].byUID {
		return f.hasher.Salt(f.hasher.String(uidOf(e)), group)
	}
	return f.hasher.Salt(f.hasher.Endpoint(e), group)
}

// speltHash is identityHash for an endpoint whose address is canonical as it is spelt.
func (f *finder) speltHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if f.groups[group].byUID {
		return f.identityHash(e, group)
	}
	return f.hasher.Salt(f.hasher.AsSpelt(e), group)
}

// hashAt is identityHash for an endpoint whose only address is known.
func (f *finder) hashAt(ip uint32, e *discoveryv1.Endpoint, group int32) uint64 {
	if f.groups[group].byUID {
		return f.identityHash(e, group)
	}
	return f.hasher.Salt(f.hasher.At(ip, e), group)
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

// identifyByUID decides for each group whether UIDs identify its endpoints: where each endpoint has one of its own.
func identifyByUID(items []item, groups []group) {
	type groupUID struct {
		group int32
		uid   string
	}
	for g := range groups {
		groups[g].byUID = true
	}
	seen := make(map[groupUID]bool, len(items))
	for i := range items {
		u := groupUID{items[i].group, uidOf(items[i].endpoint)}
		if u.uid == "" || seen[u] {
			groups[u.group].byUID = false
		}
		seen[u] = true
	}
}
