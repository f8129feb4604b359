package hints

import discoveryv1 "k8s.io/api/discovery/v1"

// Slice is one EndpointSlice as it will be, except for its hints. [Assign] never writes to what it reaches and keeps none
// of it.
type Slice struct {
	// Name tells slices apart and breaks ties; slices with equal names (those that the API server has yet to name) are
	// told apart by their position.
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
	// Hint is what the endpoint must have. The zero value: none. Its names share memory with the argument of Assign;
	// Hint.Endpoint makes an API value that does not.
	Hint Hint
}

// Assign decides the hints of all slices of one set and address type, and says what must change.
//
// The modes Given and Keep change nothing, because the endpoints have the hints that they should have. None, SameZone and
// SameNode look at each endpoint alone, as [HintOf] does; a caller that has done so already may call Assign without
// slices to get the Decision. Proportional allocates over all slices.
//
// Changes are sorted by slice and endpoint. They contain only hints that differ from those that the endpoints have; nil if
// there are none. A slice that is not Written is opened only if it must be. If the caller must then move endpoints, because
// the slice has more of them than may be written, it marks the slice as Written and calls Assign again.
//
// The slices are not changed. The error is that of [Options.Validate], and with it there are no changes.
func Assign(c Options, in []Slice) ([]Change, Decision, error) {
	if err := c.Validate(nil); err != nil {
		return nil, Decision{}, err
	}
	switch c.Mode {
	case SameZone, SameNode:
		changes, d := own(c.Mode, in)
		return changes, d, nil
	case Proportional:
		changes, d := proportional(c, in)
		return changes, d, nil
	case None:
		changes := strip(in)
		return changes, Decision{Opened: opened(in, changes)}, nil
	default: // Given and Keep
		return nil, Decision{Mode: c.Mode}, nil
	}
}

// own hints every ready endpoint to its own zone, and node.
func own(mode Mode, in []Slice) ([]Change, Decision) {
	var changes []Change
	var refused []string
	for i := range in {
		for k := range in[i].Endpoints {
			e := &in[i].Endpoints[k]
			hint, ok := HintOf(mode, e)
			if !ok {
				refused = appendRefused(refused, mode, e)
			}
			if !hint.Matches(e.Hints) {
				changes = append(changes, Change{Slice: i, Endpoint: k, Hint: hint})
			}
		}
	}
	d := Decision{Mode: mode, On: true, Opened: opened(in, changes)}
	if d.Names, d.More = firstNames(refused); d.Names != nil {
		d.Reason = InvalidName
	}
	return changes, d
}

// appendRefused appends the names that HintOf left out.
func appendRefused(list []string, mode Mode, e *discoveryv1.Endpoint) []string {
	if e.Zone != nil && *e.Zone != "" && !validZone(*e.Zone) {
		list = append(list, *e.Zone)
	}
	if mode == SameNode && e.NodeName != nil && *e.NodeName != "" && !validNode(*e.NodeName) {
		list = append(list, *e.NodeName)
	}
	return list
}
