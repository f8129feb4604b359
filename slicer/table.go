package slicer

import (
	"hash/maphash"
	"math/bits"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// table numbers the identities of endpoints (endpoint.Identity), its keys, from 0, in the order in
// which they are added. It has only the hashes of the keys; the caller keeps the endpoints. It is
// faster than a map of endpoint.Identity, which has five texts. Unlike a map, it can be kept in a
// pool: the time of reset depends on its argument, not on the number of keys that the table once
// had. reset must be called first.
type table struct {
	hashes []uint64 // of the keys
	slots  []int32  // the number of a key plus 1, or 0 if the slot is free
	seed   maphash.Seed
	ipSeed uint64 // for the hashes of IPv4 addresses
}

// reset removes all keys and makes room for n keys. More than n keys may be added.
func (t *table) reset(n int) {
	if t.slots == nil { // the seed is random, so that a client cannot choose keys that collide
		t.seed = maphash.MakeSeed()
		t.ipSeed = maphash.String(t.seed, "number")
	}
	t.hashes = t.hashes[:0]
	size := 8
	for 3*size < 4*n { // at most three quarters of the slots are in use
		size *= 2
	}
	t.makeSlots(size)
}

// makeSlots makes size free slots. It uses the memory of the old slots if that is large enough.
func (t *table) makeSlots(size int) {
	if cap(t.slots) < size {
		t.slots = make([]int32, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// count returns the number of keys.
func (t *table) count() int { return len(t.hashes) }

// text returns the hash of a text.
func (t *table) text(text string) uint64 { return maphash.String(t.seed, text) }

// hashAddresses returns the hash of an endpoint's addresses. Two endpoints with the same identity
// have the same hash. ip is what endpoint.OnlyIPv4 returns for the endpoint.
func (t *table) hashAddresses(ip uint32, e *discoveryv1.Endpoint) (hash uint64) {
	if ip != 0 {
		return t.ip(ip)
	}
	set := e.Addresses
	if len(set) != 1 {
		set = endpoint.AddressSet(set)
	}
	for _, a := range set {
		canonical := endpoint.Canonical(a)
		if ip, ok := endpoint.IPv4(canonical); ok {
			hash += t.ip(ip)
		} else {
			hash += t.text(canonical)
		}
	}
	return hash
}

// hashIdentity returns the hash of an endpoint's identity. ip is what endpoint.OnlyIPv4 returns for
// the endpoint.
func (t *table) hashIdentity(ip uint32, e *discoveryv1.Endpoint) uint64 {
	hash := mix(t.hashAddresses(ip, e), t.text(endpoint.Text(e.Hostname)))
	if ref := e.TargetRef; ref != nil {
		for _, text := range [...]string{ref.Name, ref.Namespace, ref.Kind} {
			hash = mix(hash, t.text(text))
		}
	}
	return hash
}

// ip returns the hash of an IPv4 address. Addresses often follow each other at equal distances, so
// after one mix they would share a few slots. The second mix scatters them.
func (t *table) ip(ip uint32) uint64 { return mix(mix(uint64(ip), t.ipSeed), 0) }

// mix multiplies two numbers and folds the product, so that every bit of both numbers changes the
// low bits of the result. The low bits of a hash choose the slot. The constants are odd and have no
// pattern.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	return hi ^ lo
}

// add returns the number of the key with this hash for which same is true. If there is no such key,
// add adds one, and isNew is true.
func (t *table) add(hash uint64, same func(number int32) bool) (number int32, isNew bool) {
	slot := t.probe(hash, same)
	if known := t.slots[slot]; known > 0 {
		return known - 1, false
	}
	t.hashes = append(t.hashes, hash)
	if t.slots[slot] = int32(len(t.hashes)); 4*len(t.hashes) > 3*len(t.slots) {
		t.grow()
	}
	return int32(len(t.hashes)) - 1, true
}

// find returns the number of the key with this hash for which same is true, or none.
func (t *table) find(hash uint64, same func(number int32) bool) int32 {
	return t.slots[t.probe(hash, same)] - 1
}

// probe returns the slot of a key, or the free slot where it belongs.
func (t *table) probe(hash uint64, same func(number int32) bool) (slot uint64) {
	mask := uint64(len(t.slots) - 1)
	for slot = hash & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if number := t.slots[slot] - 1; t.hashes[number] == hash && same(number) {
			break
		}
	}
	return slot
}

func (t *table) grow() {
	t.makeSlots(2 * len(t.slots))
	for i, hash := range t.hashes { // all keys differ, so only a free slot is looked for
		t.slots[t.probe(hash, func(int32) bool { return false })] = int32(i + 1)
	}
}
