package endpoint

import "hash/maphash"

// Table numbers keys in the order in which they come, from 0. It is a map whose memory a pool can keep: Reset costs what the
// table is to hold, not what it once held. At 1 000 endpoints it takes half the time of a Go map. Call Reset first.
type Table[K comparable] struct {
	keys   []K
	hashes []uint64
	slots  []uint32 // the number + 1 in the low bits, and above them a part of the hash; 0 is free
	seed   maphash.Seed
	ready  bool // there is a seed
}

// Reset forgets all keys and makes room for n. It takes more if they come.
func (t *Table[K]) Reset(n int) {
	if !t.ready { // nobody who chooses the keys knows the seed, so nobody can make them collide
		t.seed, t.ready = maphash.MakeSeed(), true
	}
	clear(t.keys)
	t.keys, t.hashes = t.keys[:0], t.hashes[:0]
	size := 8
	for 3*size < 4*n {
		size *= 2
	}
	t.makeSlots(size)
}

func (t *Table[K]) makeSlots(size int) {
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// Len returns how many keys there are.
func (t *Table[K]) Len() int { return len(t.keys) }

// Seed is what the hashes of the keys are to depend on.
func (t *Table[K]) Seed() maphash.Seed { return t.seed }

// Add returns the number of a key with this hash, and whether the key is new.
func (t *Table[K]) Add(k *K, hash uint64) (number int32, isNew bool) {
	slot, tag, number := t.probe(k, hash)
	if number >= 0 {
		return number, false
	}
	number = int32(len(t.keys))
	t.keys, t.hashes = append(t.keys, *k), append(t.hashes, hash)
	if t.slots[slot] = tag | uint32(number+1); 4*len(t.keys) > 3*len(t.slots) {
		t.grow()
	}
	return number, true
}

// AddText is Add for a table of texts.
func AddText(t *Table[string], text string) (number int32, isNew bool) {
	return t.Add(&text, maphash.String(t.seed, text))
}

// Find returns the number of a key with this hash, or -1.
func (t *Table[K]) Find(k *K, hash uint64) int32 {
	_, _, number := t.probe(k, hash)
	return number
}

// probe returns the number of a key, or -1 and what to put into which slot.
func (t *Table[K]) probe(k *K, hash uint64) (slot, tag uint32, number int32) {
	mask := uint32(len(t.slots) - 1)
	tag = uint32(hash>>32) &^ mask
	for slot = uint32(hash) & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if in := t.slots[slot]; in&^mask == tag && t.keys[in&mask-1] == *k {
			return slot, tag, int32(in&mask) - 1
		}
	}
	return slot, tag, -1
}

func (t *Table[K]) grow() {
	t.makeSlots(2 * len(t.slots))
	for i := range t.keys {
		slot, tag, _ := t.probe(&t.keys[i], t.hashes[i])
		t.slots[slot] = tag | uint32(i+1)
	}
}
