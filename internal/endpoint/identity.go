package endpoint

import (
	"hash/maphash"
	"math/bits"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Hasher hashes what identifies an endpoint. Its seed is drawn anew for each, so that nobody can choose inputs that
// collide; a hash must therefore never reach a result. The zero value is not usable.
type Hasher struct {
	// AddressesOnly leaves out all but addresses, so that hashes cost less and endpoints that share addresses collide.
	AddressesOnly bool

	seed   maphash.Seed
	k0, k1 uint64

	// Endpoints of one set share kind and namespace: their hashes are remembered.
	kind, namespace         string
	kindHash, namespaceHash uint64
}

// NewHasher returns a Hasher with a seed of its own.
func NewHasher() Hasher {
	h := Hasher{seed: maphash.MakeSeed()}
	h.k0, h.k1 = maphash.String(h.seed, "0"), maphash.String(h.seed, "1")|1
	return h
}

func (h *Hasher) mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^h.k0, b^h.k1)
	return hi ^ lo
}

// String hashes a text.
func (h *Hasher) String(s string) uint64 { return maphash.String(h.seed, s) }

// Salt makes the hash of something in a group differ from that of the same thing in another.
func (h *Hasher) Salt(hash uint64, group int32) uint64 {
	return h.mix(hash, uint64(group)+0x9e3779b97f4a7c15)
}

// Endpoint hashes what SameEndpoint compares: equal endpoints have equal hashes.
func (h *Hasher) Endpoint(e *discoveryv1.Endpoint) uint64 {
	if len(e.Addresses) == 1 {
		return h.rest(h.address(Canonical(e.Addresses[0])), e)
	}
	var sum uint64
	for i, a := range addressSet(e.Addresses) {
		if hash := h.address(a); i == 0 {
			sum = hash
		} else {
			sum = h.mix(sum, hash)
		}
	}
	return h.rest(sum, e)
}

// AsSpelt is Endpoint for one whose addresses are surely canonical. For any other it may differ, but an endpoint found
// by it is the right one.
func (h *Hasher) AsSpelt(e *discoveryv1.Endpoint) uint64 {
	if len(e.Addresses) != 1 {
		return h.Endpoint(e)
	}
	return h.rest(h.address(e.Addresses[0]), e)
}

// At is Endpoint for one whose only address is known to be this IPv4 address.
func (h *Hasher) At(ip uint32, e *discoveryv1.Endpoint) uint64 {
	return h.rest(h.Number(ip), e)
}

func (h *Hasher) address(a string) uint64 {
	if ip, ok := IPv4(a); ok {
		return h.Number(ip)
	}
	return h.String(a)
}

// Number hashes a number, such as an IPv4 address. It mixes twice, because after once the hashes of numbers at equal distances
// crowd a few places of a table.
func (h *Hasher) Number(n uint32) uint64 { return h.mix(h.mix(uint64(n), h.k0), h.k0) }

func (h *Hasher) rest(sum uint64, e *discoveryv1.Endpoint) uint64 {
	if h.AddressesOnly {
		return sum
	}
	if e.Hostname != nil && *e.Hostname != "" {
		sum = h.mix(sum, h.String(*e.Hostname))
	}
	ref := e.TargetRef
	if ref == nil {
		return sum
	}
	if ref.Kind != h.kind {
		h.kind, h.kindHash = ref.Kind, h.String(ref.Kind)
	}
	if ref.Namespace != h.namespace {
		h.namespace, h.namespaceHash = ref.Namespace, h.String(ref.Namespace)
	}
	return h.mix(sum^h.kindHash, h.String(ref.Name)^h.namespaceHash)
}

// SameEndpoint reports whether two endpoints are one by address: equal canonical addresses as sets, equal hostnames,
// and targetRefs of equal kind, namespace and name. nil and empty are equal everywhere.
func SameEndpoint(a, b *discoveryv1.Endpoint) bool {
	return SameAddresses(a.Addresses, b.Addresses) && Text(a.Hostname) == Text(b.Hostname) && sameTarget(a, b)
}

func sameTarget(a, b *discoveryv1.Endpoint) bool {
	x, y := a.TargetRef, b.TargetRef
	if x == nil || y == nil {
		return x == y
	}
	return x.Name == y.Name && x.Namespace == y.Namespace && x.Kind == y.Kind
}

// SameAddresses reports whether two lists hold the same addresses, whatever their order, spelling and repetitions.
func SameAddresses(a, b []string) bool {
	if len(a) == 1 && len(b) == 1 {
		return SameAddress(a[0], b[0])
	}
	return slices.Equal(a, b) || slices.Equal(addressSet(a), addressSet(b))
}

// SameAddress reports whether two texts spell one address.
func SameAddress(a, b string) bool {
	if a == b {
		return true
	}
	if _, ok := IPv4(a); ok {
		if _, ok := IPv4(b); ok {
			return false
		}
	}
	return Canonical(a) == Canonical(b)
}

// addressSet returns the canonical addresses, sorted, each once.
func addressSet(addresses []string) []string {
	set := make([]string, len(addresses))
	for i, a := range addresses {
		set[i] = Canonical(a)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// Text returns what s points to, "" for nil.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
