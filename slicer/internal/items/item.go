// Package items has the wanted endpoints of a plan as numbers, and finds the one that an existing endpoint is.
//
// An [Item] is one wanted endpoint of one [Group], which is an address type and a port set. A [Finder] says which item of a
// group an endpoint is, and a [ByIdentity] table which items of any group it is.
package items

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// None is no item and no group.
const None = -1

// Item is one accepted endpoint of a group. No two items of a group that a Finder took have one identity.
type Item struct {
	Endpoint *discoveryv1.Endpoint // the caller's
	Source   Source
	IP       uint32 // its one address, where that is a canonical IPv4 text; else 0
	Group    int32
}

// Source is where an endpoint stands in the input.
type Source struct{ Group, Endpoint int32 }

// Duplicate is a wanted endpoint whose identity another one has, the item.
type Duplicate struct {
	Endpoint *discoveryv1.Endpoint
	Source   Source
	Item     int32
}
