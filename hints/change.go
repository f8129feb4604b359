package hints

import discoveryv1 "k8s.io/api/discovery/v1"

// Slice is one EndpointSlice as it will be, except for its hints. [Assign] never writes to what it reaches and keeps none
// of it.
type Slice struct {
	// Name distinguishes slices and breaks ties; slices with equal names (those that the API server has yet to name) are
	// distinguished by their position.
	Name string
	// Written says that the slice is created or updated anyway, so that its hints may change at no cost. A slice that is
	// not is clean: it stays unwritten unless a hint in it must change.
	Written bool
	// Endpoints hold the hints of the last run: those of the existing slice where it is clean, and in a written one
	// those that the same endpoint had wherever it was, nil where it is new. The order counts only between endpoints
	// that are equal in everything but their hints. nil and empty: none.
	Endpoints []discoveryv1.Endpoint
}

// Change is a hint that must differ from the one that the endpoint has.
type Change struct {
	// Slice and Endpoint are positions in the argument of Assign. A slice that is not Written and occurs here must now
	// be written: it is opened.
	Slice, Endpoint int
	// Hints are what the endpoint must have, nil for none, with the zones sorted. They are the caller's own and may be changed.
	// Those of one call may be one piece of memory, which is kept as long as one of them is.
	Hints *discoveryv1.EndpointHints
}

// own decides the modes that look at each endpoint alone: SameZone and SameNode hint every ready endpoint to its own zone, and
// node, and None removes every hint.
func own(mode Mode, in []Slice) (changes []Change, d Decision) {
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
