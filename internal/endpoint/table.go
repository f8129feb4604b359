package endpoint

import "hash/maphash"

// None is no number of a key.
const None = -1

// Table numbers keys in the order in which they come, from 0, by their hashes; the caller keeps the keys. It is a map whose
// memory a pool can keep: Reset costs what the table is to hold, not what it once held. At 1 000 endpoints it takes half the
// time of a Go map. The zero value has no keys.
type Table struct {
	hashes []uint64 // of the keys
	slots  []uint32 // the number + 1 in the low bits, and above them a part of the hash; 0 is free
	seed   maphash.Seed
}

// Reset forgets all keys and makes room for n. It takes more if they come.
func (t *Table) Reset(n int) {
	if t.slots == nil { // nobody who chooses the keys knows the seed, so nobody can make them collide
		t.seed = maphash.MakeSeed()
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
		t.slots = make([]uint32, size)
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

// Add returns the number of the key that has the hash and is the same, and whether it is new.
func (t *Table) Add(hash uint64, same func(number int32) bool) (number int32, isNew bool) {
	slot, tag, number := t.probe(hash, same)
	if number != None {
		return number, false
	}
	number = int32(len(t.hashes))
	t.hashes = append(t.hashes, hash)
	if t.slots[slot] = tag | uint32(number+1); 4*len(t.hashes) > 3*len(t.slots) {
		t.grow()
	}
	return number, true
}

// Find returns the number of the key that has the hash and is the same, or None.
func (t *Table) Find(hash uint64, same func(number int32) bool) int32 {
	_, _, number := t.probe(hash, same)
	return number
}

// probe returns the number of a key, or None and what to put into which slot.
func (t *Table) probe(hash uint64, same func(number int32) bool) (slot, tag uint32, number int32) {
	t.Seed()
	mask := uint32(len(t.slots) - 1)
	tag = uint32(hash>>32) &^ mask
	for slot = uint32(hash) & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if in := t.slots[slot]; in&^mask == tag && same(int32(in&mask)-1) {
			return slot, tag, int32(in&mask) - 1
		}
	}
	return slot, tag, None
}

func (t *Table) grow() {
	t.makeSlots(2 * len(t.slots))
	for i, hash := range t.hashes {
		slot, tag, _ := t.probe(hash, func(int32) bool { return false })
		t.slots[slot] = tag | uint32(i+1)
	}
}
