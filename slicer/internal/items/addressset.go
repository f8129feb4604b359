package items

import "github.com/slicewright/slicewright/internal/endpoint"

// addressSet is a set of IPv4 addresses. Addresses of a cluster lie close together, so that one block of bits, found by a
// hash, has many; where they do not, the set refuses to grow.
type addressSet struct {
	blocks []addressBlock
	table  endpoint.Table // finds blocks by the hashes of their prefixes
	last   int32          // the block that was found last; neighbours tend to share one
	limit  int            // how many blocks there may be
	hasher *endpoint.Hasher
}

// addressBlock has the addresses that share all but their last byte.
type addressBlock struct {
	prefix uint32
	bits   [4]uint64
}

// reset empties the set and makes ready for n addresses.
func (s *addressSet) reset(n int, hasher *endpoint.Hasher) {
	const few = 32
	s.blocks, s.limit, s.hasher, s.last = s.blocks[:0], few+n/8, hasher, None
	s.table.Reset(s.limit)
}

// add adds an address. It returns false where that is there already, or where there are too many blocks.
func (s *addressSet) add(ip uint32) bool {
	prefix, word, bit := ip>>8, ip>>6&3, uint64(1)<<(ip&63)
	if s.last == None || s.blocks[s.last].prefix != prefix {
		slot, hash, found := s.find(prefix)
		if found == None {
			if len(s.blocks) == s.limit {
				return false
			}
			found = int32(len(s.blocks))
			s.blocks = append(s.blocks, addressBlock{prefix: prefix})
			s.table.Put(slot, hash, found)
		}
		s.last = found
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
	_, _, found := s.find(ip >> 8)
	return found != None && s.blocks[found].bits[ip>>6&3]&(1<<(ip&63)) != 0
}

// find returns the block with a prefix, or None and the free slot where it belongs.
func (s *addressSet) find(prefix uint32) (slot uint32, hash uint64, found int32) {
	hash = s.hasher.Number(prefix)
	slot, found = s.table.Probe(hash, uint32(hash))
	for found != None && s.blocks[found].prefix != prefix {
		slot, found = s.table.Probe(hash, slot+1)
	}
	return slot, hash, found
}
