package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// family holds the endpoints of one address type.
type family struct {
	endpoints []discoveryv1.Endpoint
	sets      []int32 // the port set of each endpoint; nil while all are of set 0
}

// next appends a zero endpoint.
func (f *family) next(set int32, d *derivation) *discoveryv1.Endpoint {
	n := len(f.endpoints)
	if n == cap(f.endpoints) {
		f.endpoints = slices.Grow(f.endpoints, d.room())
	}
	if set != 0 && f.sets == nil {
		f.sets = make([]int32, n, cap(f.endpoints))
	}
	if f.sets != nil {
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
	if f.sets == nil {
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
	sorted := make([]discoveryv1.Endpoint, len(f.endpoints))
	groups, end := make([]Group, len(used)), 0
	for i, set := range used {
		start := end
		end += ends[set]
		ends[set] = start
		groups[i] = Group{AddressType: addressType, Ports: ports.ports(set), Endpoints: sorted[start:end:end]}
	}
	for i, set := range f.sets {
		sorted[ends[set]] = f.endpoints[i]
		ends[set]++
	}
	return groups
}
