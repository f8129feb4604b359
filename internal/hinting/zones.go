package hinting

import (
	"slices"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/hinting/allocate"
)

// zones are the zones with a weight, sorted by name. A zone's number is its index in names.
type zones struct {
	names   []string
	raw     []int64 // the weights as given, by zone
	weights allocate.Weights
}

// newZones returns the zones with the zones of valid weights.
func newZones(w Weights) zones {
	z := zones{names: w.names(), raw: make([]int64, len(w.Zones))}
	for i, name := range z.names {
		z.raw[i] = w.Zones[name]
	}
	z.weights = allocate.NewWeights(z.raw)
	return z
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

// refused returns the zones that the API server does not take as hints.
func (z *zones) refused() (names []string) {
	for _, name := range z.names {
		if accept.RefuseZone(name) != nil {
			names = append(names, name)
		}
	}
	return names
}
