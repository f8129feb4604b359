package items

import "github.com/slicewright/slicewright/internal/endpoint"

// addressSet is a set of IPv4 addresses. Addresses of a cluster lie close together, so that one block of bits, found by a
// hash, has many; where they do not, the set refuses to grow.
type addressSet struct {
	blocks []addressBlock
	index  []uint32 // by hash of the prefix: a block + 1; 0 is free; at most half full
	last   int32    // the block that was found last; neighbours tend to share one
	limit  int      // how many blocks there may be
	hasher *endpoint.Hasher
}

// addressBlock has the addresses that share all but their last byte.
type addressBlock struct {
	prefix uint32
	bits   [4]uint64
}

// reset empties the set and makes ready for n addresses.
func (s *addressSet) reset(n int, hasher *endpoint.Hasher) {
	const few = 64
	s.blocks, s.limit, s.hasher, s.last = s.blocks[:0], few/2+n/8, hasher, None
	if len(s.index) == 0 {
		s.index = make([]uint32, few)
	}
	clear(s.index)
}

// add adds an address. It returns false where that is there already, or where there are too many blocks.
func (s *addressSet) add(ip uint32) bool {
	prefix, word, bit := ip>>8, ip>>6&3, uint64(1)<<(ip&63)
	if s.last == None || s.blocks[s.last].prefix != prefix {
		slot := s.slot(prefix)
		if *slot == 0 {
			if len(s.blocks) == s.limit {
				return false
			}
			if 2*len(s.blocks) >= len(s.index) {
				s.grow()
				slot = s.slot(prefix)
			}
			s.blocks = append(s.blocks, addressBlock{prefix: prefix})
			*slot = uint32(len(s.blocks))
		}
		s.last = int32(*slot) - 1
	}
	b := &s.blocks[s.last]
	if b.bits[word]&bit != 0 {
		return false
	}
	b.bits[word] |= bit
	return true
}

// has reports whether an address is in the set.
func (s *addressSet) has(ip uint32) bool {
	slot := *s.slot(ip >> 8)
	return slot != 0 && s.blocks[slot-1].bits[ip>>6&3]&(1<<(ip&63)) != 0
}

// slot returns the slot of the block with a prefix, or the free one where it belongs.
func (s *addressSet) slot(prefix uint32) *uint32 {
	mask := uint32(len(s.index) - 1)
	for i := uint32(s.hasher.Salt(uint64(prefix), 0)) & mask; ; i = (i + 1) & mask {
		if slot := &s.index[i]; *slot == 0 || s.blocks[*slot-1].prefix == prefix {
			return slot
		}
	}
}

func (s *addressSet) grow() {
	s.index = make([]uint32, 2*len(s.index))
	for i := range s.blocks {
		*s.slot(s.blocks[i].prefix) = uint32(i + 1)
	}
}
