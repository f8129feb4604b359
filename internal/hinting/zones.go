package hinting

import (
	"slices"

	"github.com/slicewright/slicewright/internal/hinting/allocate"
	"github.com/slicewright/slicewright/internal/accept"
)

// zones are the zones with a weight, sorted by name. A zone's number is its index in names.
type zones struct {
	names   []string
	raw     []int64 // the weights as given, by zone
	weights allocate.Weights
}

// read replaces the zones with the zones of valid weights.
func (z *zones) read(w Weights) {
	z.names, z.raw = w.appendNames(z.names[:0]), z.raw[:0]
	for _, name := range z.names {
		z.raw = append(z.raw, w.Zones[name])
	}
	z.weights = allocate.NewWeights(z.raw)
}

// find returns a zone's number, or allocate.Nowhere if it has no weight. guess is the number of a
// zone to try first, or allocate.Nowhere for no guess.
func (z *zones) find(name string, guess int) int {
	const few = 8 // with at most 8 zones, a scan is faster than a binary search
	switch {
	case guess >= 0 && z.names[guess] == name:
		return guess
	case len(z.names) <= few:
		return slices.Index(z.names, name)
	}
	if i, ok := slices.BinarySearch(z.names, name); ok {
		return i
	}
	return allocate.Nowhere
}

// reason returns Allocated if the ready endpoints can have hints without an overload above the
// given percent. Otherwise it returns the first reason against hints, and the Nodes or zones that
// the reason is about. zoneless is the number of ready endpoints without a zone. w are the weights
// that z has read.
func (z *zones) reason(w Weights, ready, zoneless, percent int) (Reason, []string) {
	var refused []string // zones that the API server does not take as hints
	for _, name := range z.names {
		if accept.RefuseZone(name) != nil {
			refused = append(refused, name)
		}
	}
	switch {
	case len(w.Problems) > 0:
		return w.problem()
	case len(z.names) == 0:
		return NoWeights, nil
	case len(refused) > 0:
		return InvalidName, refused
	case len(z.names) == 1:
		return SingleZone, nil
	case zoneless > 0:
		return EndpointWithoutZone, nil
	case ready < len(z.names):
		return TooFewEndpoints, nil
	case !z.weights.Feasible(ready, percent):
		return OverThreshold, nil
	default:
		return Allocated, nil
	}
}

// NeedsSync reports whether a plan with new weights or thresholds would change a hint of a set of
// slices. d is the Decision of the set's last plan. All writes of that plan must have been made.
// NeedsSync returns true in these cases:
//
//   - Proportional with hints on: the hints must be removed, a zone gained or lost its weight since
//     that plan, or a zone is below its minimum at the Stop threshold.
//   - Proportional with hints off: hints can start now.
//   - SameZone with a limit: with the new weights, an endpoint could exceed the limit by more than
//     10 percentage points. A Decision does not list endpoints, so NeedsSync may return true
//     although no endpoint exceeds the limit so far. It always returns true if the limit is new or
//     was removed, if the set of zones with a weight changed, and after TooManyZones. After
//     NoWeights it returns true once a zone has a weight.
//
// In Proportional, NeedsSync returns false while the hints still meet the Stop threshold with the
// new weights. It also returns false while hints are off because endpoints have no zone. It returns
// false in all other modes, and for options that [Options.Validate] refuses.
//
// NeedsSync reads only the fields Mode, On, Reason and Allocation of d, and of the Allocation all
// fields except Held. A caller that stores decisions need not store more. Zones may be in any
// order. NeedsSync reads only the fields Limit, Weights and Thresholds of the options.
func NeedsSync(d Decision, o Options) bool {
	last := d.Allocation
	limited := last.Threshold > 0 || o.Limit > 0 // there was a limit, or there is one now
	if d.Mode == SameZone && limited && o.Validate(nil) == nil {
		return sharingNeedsSync(d, o)
	}
	if d.Mode != Proportional || o.Validate(nil) != nil {
		return false
	}
	percent := o.Thresholds.withDefaults().Start
	if d.On {
		percent = o.Thresholds.withDefaults().Stop
	}
	var z zones
	z.read(o.Weights)
	reason, _ := z.reason(o.Weights, last.Ready, last.Zoneless, percent)
	if possible := reason == Allocated; !d.On || !possible {
		return d.On != possible
	}
	return len(last.Zones) != len(z.names) || slices.ContainsFunc(last.Zones, func(row Zone) bool {
		at := z.find(row.Name, allocate.Nowhere)
		return at == allocate.Nowhere || row.Hinted < z.weights.Minimum(at, last.Ready, percent)
	})
}
