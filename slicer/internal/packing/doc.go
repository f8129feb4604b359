// Package packing decides how many endpoints each EndpointSlice takes. It works on counts, without
// endpoints, ports and names.
//
// A [Problem] is about one address type. Its groups are the lists of ports that are wanted. An
// endpoint's current slice is the slice of its group that holds it already. An endpoint without a
// current slice is unassigned. There are three kinds of slices:
//
//   - unchanged: its endpoints stay, and nothing in it has to change.
//   - updated: its endpoints stay, and it is updated in any case. Taking more endpoints costs no
//     further write.
//   - recycled: no endpoint stays in it. It costs a write in any case: a group uses it, or it is
//     deleted.
//
// [Place] finds room for the unassigned endpoints, as Kubernetes does. All other endpoints stay
// where they are. Here are the slices of one group with a maximum of 4. Letters are endpoints, - is
// a free place, * marks a slice that is updated, and + one that is created:
//
//	*[a b - -] *[c d e -] *[f - - -]   place g h:     *[a b h -] *[c d e g] *[f - - -]   the fullest updated slice first
//	*[a b - -]  [c d e -]  [f - - -]   place g:       *[a b g -]  [c d e -]  [f - - -]   no further write
//	*[- - - -]  [c d e -]              place g:       *[g - - -]  [c d e -]              the recycled slice takes it
//	 [a b - -]  [c d e -]  [f - - -]   place g h:     *[a b g h]  [c d e -]  [f - - -]   the fullest that takes them all
//	 [a b - -]  [c d - -]              place g h i:    [a b - -]  [c d - -] +[g h i -]   none takes them all
//
// If slices are to be few and full, [Join] comes before Place. It takes all endpoints out of slices
// that are updated in any case: these become unassigned, and the slices become recycled:
//
//	*[a b - -] *[c - - -]  [d - - -]   ->   *[a b c -] *[- - - -]  [d - - -]   two writes either way
//	*[a b c -] *[d e - -]              ->   *[a b c -] *[d e - -]              five endpoints do not fit into one slice
//	*[a b - -]  [c - - -]              ->   *[a b - -]  [c - - -]              the unchanged slice need not be updated
//
// If the maximum was lowered, a slice may hold more endpoints than the maximum. [Limits.Keep]
// returns how many of them stay.
package packing
