package packing

// None is no group.
const None = -1

// Limits bound what slices may hold.
type Limits struct {
	// Max is the number of endpoints that a slice may have, at least 1.
	Max int
	// NoCreates says that no slice can be created, because the parent is being deleted. Then no endpoint leaves its home,
	// and endpoints that find no room stay unplaced.
	NoCreates bool
}

// Keep returns how many of the endpoints at home in a slice stay there when the slice is written: the maximum at most.
// The surplus leaves and becomes unassigned. A slice that is not written keeps its surplus, so that a lowered maximum
// writes nothing by itself.
//
// While nothing can be created all endpoints stay, because those that leave might find no room: a lowered maximum would
// then take away what is published and wanted.
func (l Limits) Keep(homes int) int {
	if l.NoCreates {
		return homes
	}
	return min(homes, l.Max)
}

// Fits reports whether all endpoints at home in a slice stay there when it is written.
func (l Limits) Fits(homes int) bool { return l.Keep(homes) == homes }

// Problem is what Place and Join read, and neither changes.
type Problem struct {
	Limits
	// Unassigned is the number of endpoints that need a place, of each group: a group is a port set that is wanted. Where nothing else
	// decides, an earlier group gets a slice first.
	Unassigned []int
	// Slices are all that exist. Where nothing else decides, an earlier slice is taken first.
	Slices []Slice
}

// Slice is a slice that exists.
type Slice struct {
	// Group is the group of the endpoints that stay; None: no endpoint stays, the slice is idle.
	Group int
	// Ports is the group whose ports the slice has; None: they are not wanted. It counts when the slice is idle.
	Ports int
	// Stay is the number of endpoints that stay in the slice; 0 for an idle one. In a slice that is written they are at most
	// as many as [Limits.Keep] says; one that is not written may hold more than the maximum.
	Stay int
	// Written says that the slice is written whatever it will hold. An idle slice always is.
	Written bool
}

// idle reports whether no endpoint stays.
func (s Slice) idle() bool { return s.Group == None }

// Deal says where the unassigned endpoints of a group go. The lists have indices into Problem.Slices. Endpoints fill the
// slices in the order of the lists, and then the created ones, each up to the maximum.
type Deal struct {
	// Written are slices that are written anyway and take some of the endpoints, the fullest first.
	Written []int
	// Opened are clean slices that are written for the room that they have, the fullest first.
	Opened []int
	// Reused are idle slices, the one with the largest overlap first.
	Reused []int
	// Created is the number of slices to create.
	Created int
}

// Overlap says that an idle slice holds so many of a group's unassigned endpoints.
type Overlap struct{ Slice, Group, Count int }

// full is the number of slices that so many endpoints fill, the last perhaps in part.
func (l Limits) full(endpoints int) int { return (endpoints + l.Max - 1) / l.Max }
