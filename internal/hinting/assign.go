package hinting

import (
	"slices"

	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// Assign returns the changes of hints that the slices of one set and address type need, and the
// decision behind them.
//
//   - Given and Keep change nothing, because the endpoints already have the hints that they should
//     have.
//   - None, SameZone and SameNode decide for each endpoint separately, as [HintOf] does. A caller
//     that has already applied HintOf to all endpoints may call Assign without slices to get the
//     Decision.
//   - Proportional, and SameZone with [Options].Limit, decide over all slices.
//
// Changes are sorted by slice and endpoint, and contain only hints that differ from the present
// ones. If there are none, the list is nil. A slice that is not Written has changes only if its
// present hints cannot stay. If a slice that is not Written has changes, and more endpoints than
// the caller's maximum, the caller must move endpoints, mark the slice as Written and call Assign
// again.
//
// The slices are not changed. The error is the error of [Options.Validate]. If there is an error,
// the list is nil and the Decision is zero.
func Assign(c Options, in []Slice) ([]Change, Decision, error) {
	if err := c.Validate(nil); err != nil {
		return nil, Decision{}, err
	}
	var changes []Change
	d := Decision{Mode: c.Mode}
	switch {
	case c.Mode == Proportional:
		changes, d = proportional(c, in)
	case c.Mode == SameZone && c.Limit > 0:
		changes, d = shared(c, in)
	case c.Mode != Given && c.Mode != Keep:
		changes, d = separately(c.Mode, in)
	}
	for i, change := range changes {
		if !in[change.Slice].Written && (i == 0 || changes[i-1].Slice != change.Slice) {
			d.Opened++
		}
	}
	return changes, d, nil
}

// proportional is Assign for the mode Proportional.
func proportional(o Options, in []Slice) (changes []Change, d Decision) {
	s, t := newSurvey(o.Weights, in), o.Thresholds.withDefaults()
	defer s.release()
	d = Decision{Mode: Proportional}
	a := Allocation{Ready: s.ready, Zoneless: len(s.zoneless), Threshold: t.Start}
	if s.wasOn {
		a.Threshold = t.Stop
	}
	var names []string
	if d.Reason, names = s.reason(o.Weights, a.Ready, a.Zoneless, a.Threshold); d.Reason == EndpointWithoutZone {
		names = s.zoneless
	}
	d.Names, d.More = firstNames(names)
	if d.On = d.Reason == Allocated; d.On {
		changes = s.decide(&a, t)
	} else {
		changes, _ = separately(None, in)
	}
	a.Zones = s.rows(a.Threshold, d.On)
	d.Allocation = a
	return changes, d
}

// decide returns the changes of hints while hints are on, and sets the fields of a that explain
// them.
func (s *survey) decide(a *Allocation, t Thresholds) []Change {
	bound := s.weights.Minimums(s.ready, a.Threshold) // a.Threshold is Stop if hints were on, else Start
	low, high := bound, []int(nil)
	for _, percent := range []int{t.Start, t.Aim} {
		if percent < a.Threshold && s.weights.Feasible(s.ready, percent) {
			low, a.Threshold = s.weights.Minimums(s.ready, percent), percent
		}
	}
	// Hints of clean slices stay while they meet the stop threshold, even if a lower threshold
	// could be met: otherwise each change of a weight would cause writes.
	switch {
	case !s.wasOn || allocate.Excess(s.total, bound, s.ready) > 0:
		s.open(allocate.Open(s.held, s.total, low, s.ready))
	case allocate.Excess(s.total, low, s.ready) > 0:
		a.Held, a.Threshold = true, t.Stop
		low, high = bound, low // the slices that are written anyway come as near to the lower threshold as possible
	}
	return s.allocate(low, high)
}

// rows returns the rows of the allocation. If hints are on, s.total has the number of endpoints
// that each zone gets.
func (s *survey) rows(threshold int, on bool) (rows []Zone) {
	rows = slices.Grow(rows, len(s.names))
	for z, name := range s.names {
		minimum := s.weights.Minimum(z, s.ready, threshold)
		row := Zone{Name: name, Weight: s.raw[z], Minimum: minimum, Local: s.local[z]}
		if on {
			row.Hinted, row.Overload = s.total[z], Overload(s.weights.Overload(z, s.total[z], s.ready))
		}
		rows = append(rows, row)
	}
	return rows
}
