package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// family holds the endpoints of one address type.
type family struct {
	endpoints []discoveryv1.Endpoint
	sets      []int32                // the port set of each endpoint; empty while all are of set 0
	sorted    []discoveryv1.Endpoint // the endpoints by port set
}

func (f *family) reset() { f.endpoints, f.sets = f.endpoints[:0], f.sets[:0] }

// next appends an endpoint, whose place may hold another one from before.
func (f *family) next(set int32, d *derivation) *discoveryv1.Endpoint {
	n := len(f.endpoints)
	if n == cap(f.endpoints) {
		f.endpoints = slices.Grow(f.endpoints, d.room())
	}
	if set != 0 || len(f.sets) > 0 {
		f.sets = append(f.sets, make([]int32, n-len(f.sets))...)
		f.sets = append(f.sets, set)
	}
	f.endpoints = f.endpoints[:n+1]
	return &f.endpoints[n]
}

// groups splits a family's endpoints by port set, in the order of the sets' numbers, so that the order of backends shows
// only within a group.
func (f *family) groups(addressType discoveryv1.AddressType, ports *portSets) []Group {
	if len(f.endpoints) == 0 {
		return nil
	}
	if len(f.sets) == 0 {
		return []Group{{AddressType: addressType, Ports: ports.ports(0), Endpoints: slices.Clip(f.endpoints)}}
	}
	ends := make([]int, len(ports.sets))
	for _, set := range f.sets {
		ends[set]++
	}
	var used []int32
	for set, count := range ends {
		if count > 0 {
			used = append(used, int32(set))
		}
	}
	slices.SortFunc(used, func(a, b int32) int { return slices.Compare(ports.sets[a], ports.sets[b]) })
	f.sorted = slices.Grow(f.sorted[:0], len(f.endpoints))[:len(f.endpoints)]
	groups, end := make([]Group, len(used)), 0
	for i, set := range used {
		start := end
		end += ends[set]
		ends[set] = start
		groups[i] = Group{AddressType: addressType, Ports: ports.ports(set), Endpoints: f.sorted[start:end:end]}
	}
	for i, set := range f.sets {
		f.sorted[ends[set]] = f.endpoints[i]
		ends[set]++
	}
	return groups
}
