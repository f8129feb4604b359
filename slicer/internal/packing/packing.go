package packing

// None stands for no group.
const None = -1

// Limits bound the number of endpoints in a slice, and the number of slices.
type Limits struct {
	// Max is the number of endpoints that a slice may have, at least 1.
	Max int
	// NoCreates says that no slice can be created, because the parent is being deleted. Then no
	// endpoint leaves its current slice, and endpoints for which there is no room stay unplaced.
	NoCreates bool
}

// Keep returns how many of a slice's endpoints stay in it if it is written: at most the maximum.
// The surplus leaves and becomes unassigned. A slice that is not written keeps its surplus, so that
// a lowered maximum writes nothing by itself.
//
// If no slice can be created, all endpoints stay, because there might be no room elsewhere for the
// surplus. A lowered maximum would then remove endpoints that are published and wanted.
func (l Limits) Keep(endpoints int) int {
	if l.NoCreates {
		return endpoints
	}
	return min(endpoints, l.Max)
}

// Fits reports whether a slice with this number of endpoints keeps all of them when it is written.
func (l Limits) Fits(endpoints int) bool { return l.Keep(endpoints) == endpoints }

// Problem is the input of Place and Join, which do not change it.
type Problem struct {
	Limits
	// Unassigned is the number of endpoints of each group that need a place. A group is a port set
	// that is wanted. Ties between groups go to the first group.
	Unassigned []int
	// Slices are all slices that exist. Ties between slices go to the first slice.
	Slices []Slice
}

// Slice is a slice that exists.
type Slice struct {
	// Group is the group of the endpoints that stay in the slice. If no endpoint stays, Group is
	// None, and the slice is recycled.
	Group int
	// Ports is the group whose ports the slice has, or None if no group wants these ports. It is
	// used only for recycled slices.
	Ports int
	// Stay is the number of endpoints that stay in the slice. It is 0 for a recycled slice, and at
	// most what [Limits.Keep] returns for an updated slice. An unchanged slice may hold more than
	// the maximum.
	Stay int
	// Updated says that the slice is updated even if it takes no endpoint. It has no effect on a
	// recycled slice, which is updated or deleted in any case.
	Updated bool
}

// recycled reports whether no endpoint stays.
func (s Slice) recycled() bool { return s.Group == None }

// Deal says where the unassigned endpoints of a group go. The lists have indices into
// Problem.Slices. Endpoints fill the slices in the order of the fields, each up to the maximum.
type Deal struct {
	// Updated are slices that are updated in any case and take some of the endpoints.
	Updated []int
	// Recycled are slices that no other group uses.
	Recycled []int
	// Created is the number of slices to create.
	Created int
	// Unchanged are slices that need no update and get one, because they take some of the
	// endpoints.
	Unchanged []int
}

// full returns the number of slices that a number of endpoints needs. The last slice may be only
// partly full.
func (l Limits) full(endpoints int) int { return (endpoints + l.Max - 1) / l.Max }
