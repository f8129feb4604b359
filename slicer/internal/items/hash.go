package items

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// hash hashes the identities of the items that have come since it was last called.
func (f *Finder) hash() {
	if len(f.hashes) == 0 {
		f.hashes = slices.Grow(f.hashes, cap(f.items))
	}
	for i := len(f.hashes); i < len(f.items); i++ {
		it := &f.items[i]
		if it.IP != 0 {
			f.hashes = append(f.hashes, f.hashAt(it.IP, it.Endpoint, it.Group))
		} else {
			f.hashes = append(f.hashes, f.identityHash(it.Endpoint, it.Group))
		}
	}
}

func (f *Finder) same(a, b *discoveryv1.Endpoint, group int32) bool {
	if f.groups[group].ByUID {
		return endpoint.UID(a) == endpoint.UID(b)
	}
	return endpoint.SameEndpoint(a, b)
}

// identityHash hashes what identifies an endpoint in a group.
func (f *Finder) identityHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if f.groups[group].ByUID {
		return f.hasher.Salt(f.hasher.String(endpoint.UID(e)), group)
	}
	return f.hasher.Salt(f.hasher.Endpoint(e), group)
}

// speltHash is identityHash for an endpoint whose address is canonical as it is spelt.
func (f *Finder) speltHash(e *discoveryv1.Endpoint, group int32) uint64 {
	if f.groups[group].ByUID {
		return f.identityHash(e, group)
	}
	return f.hasher.Salt(f.hasher.AsSpelt(e), group)
}

// hashAt is identityHash for an endpoint whose only address is known.
func (f *Finder) hashAt(ip uint32, e *discoveryv1.Endpoint, group int32) uint64 {
	if f.groups[group].ByUID {
		return f.identityHash(e, group)
	}
	return f.hasher.Salt(f.hasher.At(ip, e), group)
}
