package hints

import (
	"slices"

	"github.com/slicewright/slicewright/hints/internal/allocate"
	"github.com/slicewright/slicewright/internal/accept"
)

// zones are the zones with a weight, sorted by name. A zone's number is its index in names.
type zones struct {
	names   []string
	weight  []int64
	weights allocate.Weights
}

// read replaces the zones by those of valid weights.
func (z *zones) read(w Weights) {
	z.names, z.weight = w.appendNames(z.names[:0]), z.weight[:0]
	for _, name := range z.names {
		z.weight = append(z.weight, w.Zones[name])
	}
	z.weights = allocate.NewWeights(z.weight)
}

// find returns a zone's number, or allocate.Nowhere if it has no weight. guess is the number to try
// first, or allocate.Nowhere.
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

// why returns Allocated if the ready endpoints can have hints without an overload above percent.
// Otherwise it returns the first reason against hints, and the Nodes or zones that the reason is
// about. zoneless is the number of ready endpoints without a zone. w are the weights that z has
// read.
func (z *zones) why(w Weights, ready, zoneless, percent int) (Reason, []string) {
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
// slices. d is the decision of the set's last plan, all of which was written. It is true in these
// cases:
//
//   - Proportional, hints are on: they must go, or a zone had a weight and has none any more, or a
//     zone has a weight for the first time, or a zone is below its minimum at the stop threshold.
//   - Proportional, hints are off: they can start now.
//   - SameZone with a limit: with the new weights, an endpoint could exceed the limit by more than
//     10 points. A Decision has no row for each endpoint, so NeedsSync can be true although no
//     endpoint does. It is always true if the limit is new or was removed, if other zones have a
//     weight than before, and after TooManyZones. After NoWeights it is true once a zone has a
//     weight.
//
// In Proportional it is false if the weights stay within the thresholds, and while endpoints have
// no zone. It is false in all other modes, and for options that [Options.Validate] refuses.
//
// Of d it reads Mode, On, Reason, Ready, Zoneless, Threshold and Zones, and Zones may be in any
// order. A caller that stores decisions need not store more. Of the options it reads Limit, Weights
// and Thresholds.
func NeedsSync(d Decision, o Options) bool {
	if d.Mode == SameZone && d.Threshold+o.Limit > 0 && o.Validate(nil) == nil {
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
	reason, _ := z.why(o.Weights, d.Ready, d.Zoneless, percent)
	if possible := reason == Allocated; !d.On || !possible {
		return d.On != possible
	}
	return len(d.Zones) != len(z.names) || slices.ContainsFunc(d.Zones, func(row Zone) bool {
		at := z.find(row.Name, allocate.Nowhere)
		return at == allocate.Nowhere || row.Hinted < z.weights.Minimum(at, d.Ready, percent)
	})
}
