// Package packing decides how many endpoints each EndpointSlice takes. It works on counts, without
// endpoints, ports and names.
//
// A [Problem] is about one address type. Its groups are the port sets that are wanted. An
// endpoint's current slice is the slice of its group that holds it already. An endpoint without a
// current slice is unassigned. There are three kinds of slices:
//
//   - clean: its endpoints stay, and nothing in it has to change.
//   - written: its endpoints stay, and it must be written anyway. Taking more endpoints costs no
//     further write.
//   - reusable: no endpoint stays in it. It costs a write in any case: a group reuses it, or it is
//     deleted.
//
// [Place] finds room for the unassigned endpoints. All other endpoints stay where they are. Here
// are the slices of one group with a maximum of 4. Letters are endpoints, - are free places, and *
// marks a slice that is written:
//
//	*[a b - -]  [c d e -]  [f - - -]   place g:       *[a b g -]  [c d e -]  [f - - -]   a written slice has room
//	*[a b - -] *[c d e -] *[f - - -]   place g h:     *[a b h -] *[c d e g] *[f - - -]   not a few: the fullest first
//	*[a b - -] *[c d e -] *[f - - -]   place g h:     *[a b g h] *[c d e -] *[f - - -]   a few: the fullest that takes both
//	*[a b - -] *[c d e -] *[f - - -]   place g h i j: *[a b - -] *[c d e g] *[f h i j]   a few: two take them, not three
//	 [a b - -]  [c d e -]  [f - - -]   place g h i:    [a b - -]  [c d e -] *[f g h i]   the fullest that takes them all
//	 [a b - -]  [c d - -]              place g h i:    [a b - -]  [c d - -]  +[g h i -]  one create beats two updates
//	*[- - - -]  [c d e -]              place g:       *[g - - -]  [c d e -]              the reusable slice takes it
//
// New endpoints are a few if there is at most one for each hundred endpoints of their group that
// stay. (The pictures do not show hundreds of endpoints.) A few endpoints go into as few slices as
// possible, because they change together later: Pods of one rollout become ready, and are replaced,
// at about the same time. Each of these changes then writes few slices.
//
// If slices are to be few and full, [Join] comes before Place. It dissolves slices that are written
// anyway: their endpoints become unassigned, and the slices become reusable:
//
//	*[a b - -] *[c - - -]  [d - - -]   ->   *[a b c -] *[- - - -]  [d - - -]   two writes either way
//	*[a b c -] *[d e - -]              ->   *[a b c -] *[d e - -]              five endpoints do not fit into one slice
//	*[a b - -]  [c - - -]              ->   *[a b - -]  [c - - -]              the clean slice need not be written
//
// If the maximum was lowered, a slice may hold more endpoints than the maximum. [Limits.Keep]
// returns how many of them stay.
package packing
