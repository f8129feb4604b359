package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

// holding is what the index keeps of one slice: copies, and strings, but none of the caller's pointers.
type holding struct {
	name    types.NamespacedName
	service string // empty if the slice does not say whose it is
	uid     types.UID
	version string // resourceVersion
	source  *source
	ports   []slicePort
	records []*record // in order, each once; as they were read until the slice changes for the first time
	inOrder bool
	// positions says where the records of the slice's endpoints are, in the order of the slice. It is nil where endpoints have
	// not one record each, with an address of its own, or are in no order yet.
	positions []uint16
	troubled  bool // it has problems
}

var nothingHeld holding

// isVersion reports whether a slice is the very version that was taken in, by the word of its API server.
func (h *holding) isVersion(slice *discoveryv1.EndpointSlice) bool {
	return h.uid != "" && h.version != "" && h.version == slice.ResourceVersion && h.uid == slice.UID
}

// says reports whether the slice says the same as before, for readers of View.OfSlice.
func (h *holding) says(before *holding, c *changes) bool {
	return before.source != nil && h.service == before.service && slices.Equal(h.ports, before.ports) &&
		len(c.removed)+len(c.added) == 0
}

// changes is how the records of a slice differ from those of its last version, in order.
type changes struct {
	removed, added []*record
	at             []int32 // where readAgain found differences
}

// publish keeps the records of before that did not change and makes the others of what was read last. Both are in
// order. Records in scratch memory are copied to an arena; keeper is nil if what was read lasts.
func (c *changes) publish(before, read []*record, keeper *arena) []*record {
	after := make([]*record, 0, len(read))
	for len(before) > 0 && len(read) > 0 {
		switch order := compareRecords(before[0], read[0]); {
		case order == 0:
			after = append(after, before[0])
			before, read = before[1:], read[1:]
		case order < 0:
			c.removed, before = append(c.removed, before[0]), before[1:]
		default:
			c.added, after, read = append(c.added, read[0]), append(after, read[0]), read[1:]
		}
	}
	c.removed = append(c.removed, before...)
	c.added, after = append(c.added, read...), append(after, read...)
	if keeper == nil {
		return after
	}
	keeper.expect(len(c.added))
	next := 0
	for i := range after {
		if next < len(c.added) && after[i] == c.added[next] {
			c.added[next] = keeper.copy(after[i])
			after[i] = c.added[next]
			next++
		}
	}
	return after
}

// replace returns the records of before with those that were added in the places of those that were removed.
func (c *changes) replace(before []*record) []*record {
	if len(c.added) == 0 {
		return before
	}
	after := slices.Clone(before)
	for i, at := range c.at {
		after[at] = c.added[i]
	}
	return after
}

// kept returns the records of after that were there before.
func (c *changes) kept(after []*record) []*record {
	kept := make([]*record, 0, len(after)-len(c.added))
	added := c.added
	for _, r := range after {
		if len(added) > 0 && r == added[0] {
			added = added[1:]
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

func (c *changes) reset() {
	c.removed, c.added, c.at = emptied(c.removed), emptied(c.added), c.at[:0]
}
