// Package identity says which wanted endpoint an existing endpoint is.
//
// An [Item] is one wanted endpoint of one [Group], which is an address type and a list of ports. Two endpoints are one
// if endpoint.SameByAddress says so. All items that are one endpoint have one identity:
//
//	identity              items, one for each group that wants the endpoint
//	10.0.0.1, Pod web-1   http:80  alt:81
//	10.0.0.2, Pod web-2   http:80
//	10.0.0.3, Pod web-3            alt:81
//
// There are two questions. [Items.Identify] goes along a row to one group: which item is the endpoint in this group?
// [Items.IDs] with [Items.Row] gives the whole row: which items is it, on any ports? Identities cost one look into a table
// for each endpoint. The items of a row are sorted by group, so that one endpoint in many groups is found in a few steps.
//
// In a group whose endpoints go by UID two endpoints are one if the UIDs of their targets are equal, so that a Pod that
// changes its address stays the same endpoint. Such a group has rows of its own.
package identity
