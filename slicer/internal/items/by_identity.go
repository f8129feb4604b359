package items

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// ByIdentity finds the items that are one endpoint in any group: a chained table over identities without their group.
// It is built only when slices change their ports or idle ones are re-used.
type ByIdentity struct {
	f           *Finder
	hasher      endpoint.Hasher
	heads, next []int32 // item + 1; 0 endpoint.Ends a chain
	hashes      []uint64
	byUID       bool // some group goes by UID
	byAddress   bool // some group goes by address
}

// ByIdentity returns the table, and builds it the first time.
func (f *Finder) ByIdentity() *ByIdentity {
	if f.identities == nil {
		f.identities = newItemsByIdentity(f)
	}
	return f.identities
}

func newItemsByIdentity(f *Finder) *ByIdentity {
	size, n := 8, len(f.items)
	for size < 2*n {
		size *= 2
	}
	t := &ByIdentity{f: f, hasher: f.hasher, heads: make([]int32, size), next: make([]int32, n), hashes: make([]uint64, n)}
	t.hasher.AddressesOnly = false
	for i := range f.items {
		it := &f.items[i]
		if f.groups[it.Group].ByUID {
			t.byUID = true
			t.hashes[i] = t.hasher.String(endpoint.UID(it.Endpoint))
		} else {
			t.byAddress = true
			t.hashes[i] = t.hasher.Endpoint(it.Endpoint)
		}
		slot := &t.heads[t.hashes[i]&uint64(size-1)]
		t.next[i], *slot = *slot, int32(i+1)
	}
	return t
}

// Each calls visit with every item of the address type that is the endpoint, in no particular order.
func (t *ByIdentity) Each(e *discoveryv1.Endpoint, typ int32, visit func(i int32)) {
	if t.byAddress {
		t.chain(t.hasher.Endpoint(e), e, typ, false, visit)
	}
	if t.byUID {
		t.chain(t.hasher.String(endpoint.UID(e)), e, typ, true, visit)
	}
}

func (t *ByIdentity) chain(hash uint64, e *discoveryv1.Endpoint, typ int32, byUID bool, visit func(i int32)) {
	for i := t.heads[hash&uint64(len(t.heads)-1)] - 1; i >= 0; i = t.next[i] - 1 {
		it := &t.f.items[i]
		g := &t.f.groups[it.Group]
		if t.hashes[i] == hash && g.Type == typ && g.ByUID == byUID && t.f.same(it.Endpoint, e, it.Group) {
			visit(i)
		}
	}
}
