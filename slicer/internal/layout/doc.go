// Package layout decides where every endpoint will be and what becomes of every EndpointSlice. It works on numbers: it knows
// neither endpoints nor ports nor names. Package packing, below it, decides how many endpoints each slice takes, and this package
// which ones.
//
// An item is one wanted endpoint of one group, as in package identity. A [Layout] begins with every item at home in the slice
// where it stays, and with every slice clean or written: see package packing. [Layout.Fill] completes it, in this order:
//
//  1. A written slice gives up what it holds above the maximum: the last items in canonical order.
//  2. In Compact, written slices dissolve. Their items lose their place.
//  3. Each idle slice that a group re-uses takes back those of the items without place which it holds.
//  4. All other items without place, in canonical order, go into the written slices that packing chooses, then into the clean slices
//     that it opens, then into re-used slices, and then into created ones.
//  5. An address type that has no items keeps one slice as the placeholder: the one that is most like an empty slice already.
//  6. What is idle then is deleted.
//
// In the pictures letters are items in canonical order, * marks a slice that is written, - is a free place, and the maximum is 4.
// A slice in braces is idle; it holds these endpoints, but their ports are to change, or they are not wanted:
//
//	*[a c d e f]              nothing else   ->  *[a c d e] +[f - - -]              f is the last
//	*[a - - -] *[b c d -]     place e f      ->  *[a f - -] *[b c d e]              the fullest written slice first
//	*[a b c -] {e x}          place d e f    ->  *[a b c d] *[e f - -]              the idle slice takes e back
//	 [a b c -]  [d - - -]     place e f      ->   [a b c -] *[d e f -]              the fullest clean slice that takes both
//	*[a b - -] *[c - - -]     in Compact     ->  *[a b c -] deleted                 c moves
//	{x y} {}                  no items       ->   deleted   [- - - -]               the empty slice is the placeholder
package layout
