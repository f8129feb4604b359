package hints

import (
	"slices"

	"github.com/slicewright/slicewright/hints/internal/allocate"
)

// zones are the zones with a weight, sorted by name. A zone's number is its place among them.
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

// find returns a zone's number, or allocate.Nowhere. guess is where to look first, if it is a number.
func (z *zones) find(name string, guess int) int {
	const scanLimit = 8 // up to so many zones a scan beats a search
	switch {
	case guess >= 0 && z.names[guess] == name:
		return guess
	case len(z.names) <= scanLimit:
		return slices.Index(z.names, name)
	}
	if i, ok := slices.BinarySearch(z.names, name); ok {
		return i
	}
	return allocate.Nowhere
}

// refused lists the zones that the API server does not take as hints.
func (z *zones) refused() nameList {
	var refused nameList
	for _, name := range z.names {
		if !validZone(name) {
			refused.add(name)
		}
	}
	return refused
}

// why says whether so many ready endpoints, some of which may have no zone, can have hints with an overload of percent: Allocated,
// or the first reason against it. The weights are those that were read.
func (z *zones) why(w Weights, ready, zoneless, percent int) Reason {
	switch refused := z.refused(); {
	case len(w.Problems) > 0:
		return problemReason(w.Problems)
	case len(z.names) == 0:
		return NoWeights
	case refused.any():
		return InvalidName
	case len(z.names) == 1:
		return SingleZone
	case zoneless > 0:
		return EndpointWithoutZone
	case ready < len(z.names):
		return TooFewEndpoints
	case !z.weights.Feasible(ready, percent):
		return OverThreshold
	default:
		return Allocated
	}
}
