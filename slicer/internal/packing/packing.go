// Package packing decides how many endpoints each EndpointSlice takes. It works on counts: it knows neither endpoints
// nor ports nor names.
//
// A [Problem] is about one address type. Its groups are the port sets that are wanted. An endpoint's home is the slice
// of its group that holds it already; an endpoint without home is homeless. With regard to what stays in it, a slice is
//
//   - clean: its endpoints stay, and nothing in it has to change,
//   - written: its endpoints stay, and it must be written anyway, so that taking more endpoints costs no further write,
//   - idle: no endpoint stays. It must be written anyway: a group re-uses it, or it is deleted.
//
// [Place] finds room for the homeless endpoints and lets all others stay. Here are the slices of one group with a
// maximum of 4; letters are endpoints, - are free places, and * marks a slice that is written:
//
//	*[a b - -]  [c d e -]  [f - - -]   place g:       *[a b g -]  [c d e -]  [f - - -]   a written slice has room
//	 [a b - -]  [c d e -]  [f - - -]   place g h i:    [a b - -]  [c d e -] *[f g h i]   the fullest that takes them all
//	 [a b - -]  [c d - -]              place g h i:    [a b - -]  [c d - -]  +[g h i -]  one create beats two updates
//	*[- - - -]  [c d e -]              place g:       *[g - - -]  [c d e -]              the idle slice is re-used
//
// [Join] comes before Place where slices shall be few and full: it lets slices that are written anyway dissolve into
// others. Their endpoints become homeless, and they become idle:
//
//	*[a b - -] *[c - - -]  [d - - -]   ->   *[a b c -] *[- - - -]  [d - - -]   two writes either way
//	*[a b c -] *[d e - -]              ->   *[a b c -] *[d e - -]              five endpoints do not fit into one slice
//	*[a b - -]  [c - - -]              ->   *[a b - -]  [c - - -]              the clean slice need not be written
//
// A slice may hold more than the maximum, because the maximum was lowered: [Limits.Stay] says how many of its endpoints
// stay.
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

// Problem is what Place and Join read, and neither changes.
type Problem struct {
	Limits
	// Groups are the port sets that are wanted. Where nothing else decides, an earlier group gets a slice first.
	Groups []Group
	// Slices are all that exist. Where nothing else decides, an earlier slice is taken first.
	Slices []Slice
}

// Group is a port set.
type Group struct {
	// Homeless is the number of endpoints that need a place.
	Homeless int
}

// Slice is a slice that exists.
type Slice struct {
	// Group is the group of the endpoints that stay; None: no endpoint stays, the slice is idle.
	Group int
	// Ports is the group whose ports the slice has; None: they are not wanted. It counts when the slice is idle.
	Ports int
	// Homes is the number of endpoints at home in the slice; 0 for an idle one. Above the maximum, [Limits.Stay] says how
	// many of them stay.
	Homes int
	// Written says that the slice is written whatever it will hold. An idle slice always is.
	Written bool
}

// idle reports whether no endpoint stays.
func (s Slice) idle() bool { return s.Group == None }

// forced reports whether the slice costs a write whatever it will hold.
func (s Slice) forced() bool { return s.Written || s.idle() }

// Deal says where the homeless endpoints of a group go. The lists have indices into Problem.Slices. Endpoints fill the
// slices in the order of the lists, and then the created ones, each up to the maximum.
type Deal struct {
	// Written have room and are written anyway, the fullest first. The last of them may get none.
	Written []int
	// Opened are clean slices that are written for the room that they have, the fullest first.
	Opened []int
	// Reused are idle slices, the one with the largest overlap first.
	Reused []int
	// Created is the number of slices to create.
	Created int
}

// Overlap says that an idle slice holds so many of a group's homeless endpoints.
type Overlap struct{ Slice, Group, Count int }

// full is the number of slices that so many endpoints fill, the last perhaps in part.
func (l Limits) full(endpoints int) int { return (endpoints + l.Max - 1) / l.Max }
