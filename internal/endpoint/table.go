package endpoint

import (
	"hash/maphash"
	"math/bits"
)

// None is no number of a key.
const None = -1

// Table numbers keys in the order in which they come, from 0, by their hashes; the caller keeps the keys. It is a map whose
// memory a pool can keep: Reset costs what the table is to hold, not what it once held. The zero value has no keys.
type Table struct {
	hashes []uint64 // of the keys
	slots  []int32  // the number of a key from 1; 0 is free
	seed   maphash.Seed
	number uint64 // is to numbers what seed is to texts
}

// Reset forgets all keys and makes room for n. It takes more if they come.
func (t *Table) Reset(n int) {
	if t.slots == nil { // nobody who chooses the keys knows the seed, so nobody can make them collide
		t.seed = maphash.MakeSeed()
		t.number = maphash.String(t.seed, "number")
	}
	t.hashes = t.hashes[:0]
	size := 8
	for 3*size < 4*n {
		size *= 2
	}
	t.makeSlots(size)
}

func (t *Table) makeSlots(size int) {
	if cap(t.slots) < size {
		t.slots = make([]int32, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// Len returns how many keys there are.
func (t *Table) Len() int { return len(t.hashes) }

// Seed is what the hashes of the keys are to depend on.
func (t *Table) Seed() maphash.Seed {
	if t.slots == nil {
		t.Reset(0)
	}
	return t.seed
}

// Text returns the hash of a text.
func (t *Table) Text(text string) uint64 { return maphash.String(t.Seed(), text) }

// Ports returns the hash of canonical ports.
func (t *Table) Ports(ports []Port) (hash uint64) {
	for i := range ports {
		hash = mix(hash, maphash.Comparable(t.Seed(), ports[i]))
	}
	return hash
}

// ip returns the hash of an IPv4 address. The second mix is for addresses at equal distances, whose hashes crowd a few
// places after one.
func (t *Table) ip(ip uint32) uint64 { return mix(mix(uint64(ip), t.number), 0) }

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	return hi ^ lo
}

// Add returns the number of the key that has the hash and is the same, and whether it is new.
func (t *Table) Add(hash uint64, same func(number int32) bool) (number int32, isNew bool) {
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

// Find returns the number of the key that has the hash and is the same, or None.
func (t *Table) Find(hash uint64, same func(number int32) bool) int32 {
	return t.slots[t.probe(hash, same)] - 1
}

// probe returns the slot of a key, or the free one where it belongs.
func (t *Table) probe(hash uint64, same func(number int32) bool) (slot uint64) {
	t.Seed()
	mask := uint64(len(t.slots) - 1)
	for slot = hash & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if number := t.slots[slot] - 1; t.hashes[number] == hash && same(number) {
			break
		}
	}
	return slot
}

func (t *Table) grow() {
	t.makeSlots(2 * len(t.slots))
	for i, hash := range t.hashes {
		t.slots[t.probe(hash, func(int32) bool { return false })] = int32(i + 1)
	}
}
