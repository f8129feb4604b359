// Package hinting decides the hints of slices. Package hints shows it to programs, for one list of
// endpoints, and has the options and their comments. Package slicer calls it with the slices of a
// plan.
//
// A slice that is written for another reason gets the best hints. A slice that is not written stays
// as it is, unless its hints cannot stay. hints/PROMISES.md has the rules.
package hinting

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// The modes are those of package hints.
const (
	None           = ""
	PreferSameZone = "PreferSameZone"
	PreferSameNode = "PreferSameNode"
	Auto           = "Auto"
	Given          = "Given"
	Keep           = "Keep"
)

var modes = []string{None, PreferSameZone, PreferSameNode, Auto, Given, Keep}

// Options are those of package hints.
type Options struct {
	Mode    string
	Limit   int
	Weights Weights
	Steady  bool
}

// Weights are those of package hints.
type Weights struct {
	Zones   map[string]int64
	Missing []string
}

// Slice has the name and the endpoints that an EndpointSlice will have after the planned writes.
// The endpoints still have their present hints.
type Slice struct {
	// Name distinguishes slices and breaks ties. Slices with equal names, such as slices that the
	// API server has yet to name, are distinguished by their position.
	Name string
	// Written says that the slice is created or updated for another reason, so that a change of its
	// hints costs nothing. Any other slice is unchanged: it is not written unless one of its hints
	// must change.
	Written bool
	// Endpoints have the present hints. In an unchanged slice these are the hints of the existing
	// slice. In a written slice, each endpoint has the hints that it had in its previous slice, and
	// nil if it is new. The order matters only between endpoints that are equal except for their
	// hints.
	Endpoints []discoveryv1.Endpoint
}

// Change says that the hints of an endpoint must change, and to what.
type Change struct {
	// Slice and Endpoint are positions in the argument of Assign. If the slice is not Written, it
	// must now be written, only because of its hints.
	Slice, Endpoint int
	// Hints are the endpoint's new hints, with the zones sorted, or nil for no hints. The hints of
	// one call may share one allocation.
	Hints *discoveryv1.EndpointHints
}

// Decision is that of package hints, without the fields that the caller knows.
type Decision struct {
	On      bool
	Reason  string
	Message string
	Zones   []Zone
}

// Zone is an Allocation of package hints.
type Zone struct {
	Zone          string
	Weight        int64
	Ready, Hinted int
}

// Assign returns the changes of hints that the slices of one Service and address type need, and the
// decision behind them.
//
//   - Given and Keep change nothing, because the endpoints already have the hints that they should
//     have.
//   - None, PreferSameZone and PreferSameNode decide for each endpoint separately, as [HintOf] does.
//     A caller that has already applied HintOf to all endpoints may call Assign without slices to
//     get the Decision.
//   - Auto, and PreferSameZone with a limit, decide over all slices.
//
// Changes are sorted by slice and endpoint, and contain only hints that differ from the present
// ones. If there are none, the list is nil. A slice that is not Written has changes only if its
// present hints cannot stay. If such a slice has more endpoints than the caller's maximum, the
// caller must move endpoints, mark the slice as Written and call Assign again.
//
// The slices are not changed. The error is that of [Validate]. If there is an error, the list is
// nil and the Decision is zero.
func Assign(o Options, in []Slice) (list []Change, d Decision, err error) {
	d, err = Each(o, in, func(c Change) { list = append(list, c) })
	return list, d, err
}

// Each is Assign with a function that is called for each change.
func Each(o Options, in []Slice, change func(Change)) (Decision, error) {
	if err := Validate(o, nil); err != nil {
		return Decision{}, err
	}
	switch {
	case !OverAll(o):
		return separately(o.Mode, in, change), nil
	case o.Mode == Auto:
		return auto(o, in, change), nil
	default:
		return withLimit(o, in, change), nil
	}
}

// OverAll reports whether the options decide over all slices, and not for each endpoint separately.
func OverAll(o Options) bool { return o.Mode == Auto || o.Mode == PreferSameZone && o.Limit > 0 }
