package endpoint

// Table finds numbers by a hash: open addressing, at most three quarters full. A slot has the number + 1 in its low bits
// and, above them, as much of the hash as there is room for; 0 is free. Call Reset first.
type Table struct {
	slots []uint32
	mask  uint32
}

// Reset empties the table and makes room for the numbers from 0 to n-1.
func (t *Table) Reset(n int) {
	size := 8
	for 3*size < 4*n {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
	} else {
		t.slots = t.slots[:size]
		clear(t.slots)
	}
	t.mask = uint32(size - 1)
}

// Probe returns the next number whose hash may be this one, and its slot: none, which is -1, and a free slot, where there is no
// other. The search begins at from: first at uint32(hash), then at the slot after the last.
func (t *Table) Probe(hash uint64, from uint32) (slot uint32, found int32) {
	tag := uint32(hash>>32) &^ t.mask
	for slot = from & t.mask; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
		if t.slots[slot]&^t.mask == tag {
			return slot, int32(t.slots[slot]&t.mask) - 1
		}
	}
	return slot, -1
}

// Put enters a number into a free slot.
func (t *Table) Put(slot uint32, hash uint64, n int32) {
	t.slots[slot] = uint32(hash>>32)&^t.mask | uint32(n+1)
}
