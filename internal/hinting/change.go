package hinting

import discoveryv1 "k8s.io/api/discovery/v1"

// Slice has the name and the endpoints that an EndpointSlice will have after the planned writes.
// The endpoints still have their present hints. [Assign] does not change the endpoints, and keeps
// no reference to them.
type Slice struct {
	// Name distinguishes slices and breaks ties. Slices with equal names, such as slices that the
	// API server has yet to name, are distinguished by their position.
	Name string
	// Written says that the slice is created or updated anyway, so that a change of its hints costs
	// nothing. Any other slice is clean: it is not written unless one of its hints must change.
	Written bool
	// Endpoints have the present hints. In a clean slice these are the hints of the existing slice.
	// In a written slice, each endpoint has the hints that it had in its previous slice, and nil if
	// it is new. The order matters only between endpoints that are equal except for their hints.
	// The list may be nil or empty.
	Endpoints []discoveryv1.Endpoint
}

// Change says that the hints of an endpoint must change, and to what.
type Change struct {
	// Slice and Endpoint are positions in the argument of Assign. If the slice is not Written, it
	// must now be written, only because of its hints.
	Slice, Endpoint int
	// Hints are the endpoint's new hints, with the zones sorted, or nil for no hints. They belong
	// to the caller, which may change them. The hints of one call may share one allocation, which
	// stays alive while any of them is referenced.
	Hints *discoveryv1.EndpointHints
}

// separately is Assign for the modes that decide for each endpoint separately. SameZone gives each
// ready endpoint a hint for its own zone, SameNode gives it one for its node as well, and None
// removes all hints.
func separately(mode Mode, in []Slice) (changes []Change, d Decision) {
	var names, zoneless []string
	for i := range in {
		for k := range in[i].Endpoints {
			hint, refused := hintOf(mode, &in[i].Endpoints[k])
			for _, name := range [...]string{refused.Zone, refused.Node} {
				if name != "" {
					names = append(names, name)
				}
			}
			if e := &in[i].Endpoints[k]; mode == SameZone && hint.Zone == "" && ready(e) {
				zoneless = append(zoneless, endpointName(e))
			}
			if !hint.Matches(in[i].Endpoints[k].Hints) {
				changes = append(changes, Change{i, k, hint.Endpoint()})
			}
		}
	}
	d = Decision{Mode: mode, On: mode != None}
	if d.Names, d.More = firstNames(names); d.Names != nil {
		d.Reason = InvalidName
	} else if d.Names, d.More = firstNames(zoneless); d.Names != nil {
		d.Reason = EndpointWithoutZone
	}
	return changes, d
}
