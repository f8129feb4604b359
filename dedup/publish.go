package dedup

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
)

// holding is what the index keeps of one slice: copies, and strings, but none of the caller's pointers.
type holding struct {
	name     types.NamespacedName
	service  string // empty if the slice does not say whose it is
	uid      types.UID
	version  string // resourceVersion
	source   *source
	ports    []slicePort
	records  []*record // in order, each once; as they were read until the slice changes for the first time
	inOrder  bool
	troubled bool // it has problems
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

// changes is how the records of a slice differ from those of its last version.
type changes struct {
	kept, removed, added []*record
}

// publish keeps the records of before that did not change and makes the others of what was read last. Both are in
// order. Records in scratch memory are copied to an arena; keeper is nil if what was read lasts.
func (c *changes) publish(before, read []*record, keeper *arena) []*record {
	after := make([]*record, 0, len(read))
	for len(before) > 0 && len(read) > 0 {
		switch order := compareRecords(before[0], read[0]); {
		case order == 0:
			c.kept, after = append(c.kept, before[0]), append(after, before[0])
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

func (c *changes) reset() {
	c.kept, c.removed, c.added = emptied(c.kept), emptied(c.removed), emptied(c.added)
}
