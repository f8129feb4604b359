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

// read takes valid weights.
func (z *zones) read(w Weights) {
	z.names, z.weight = w.appendNames(z.names[:0]), z.weight[:0]
	for _, name := range z.names {
		z.weight = append(z.weight, w.Zones[name])
	}
	z.weights = allocate.NewWeights(z.weight)
}

// find returns a zone's number, or allocate.Nowhere. guess is the number to try first, or allocate.Nowhere.
func (z *zones) find(name string, guess int) int {
	const few = 8 // up to so many zones a scan beats a search
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

// why returns Allocated if the ready endpoints, of which zoneless have no zone, can have hints without an overload above percent.
// Otherwise it returns the first reason against hints, and the Nodes or zones that the reason is about. w are the weights that z
// has read.
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

// NeedsSync reports whether planning again with new weights or thresholds would change a hint of a set whose last plan was
// wholly applied and came with decision d. It is true if hints must go, if zones have no weight any more or fall below their
// minimum at the stop threshold, and if hints were off and can start now. In Proportional it is false for weights that stay within
// the thresholds, and while endpoints have no zone. In SameZone with a limit it is true where an endpoint may come to carry too
// much, and need not, and after TooManyZones. It is false in all other modes, and for options that [Options.Validate] refuses.
//
// Of d it reads Mode, On, Reason, Ready, Zoneless, Threshold and Zones, in any order. A caller that keeps decisions from
// sync to sync need not store more of them. Of the options it reads Limit, Weights and Thresholds.
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
