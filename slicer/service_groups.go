package slicer

import (
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// family holds the endpoints of one address type.
type family struct {
	endpoints []discoveryv1.Endpoint
	sets      []int32                // the port set of each endpoint; empty while all are of set 0
	after     []int32                // how many records came before each endpoint
	sorted    []discoveryv1.Endpoint // the endpoints by port set
	used      int                    // endpoints that there were in the last Input
}

func (f *family) reset() {
	f.used = len(f.endpoints)
	f.endpoints, f.sets, f.after, f.sorted = f.endpoints[:0], f.sets[:0], f.after[:0], f.sorted[:0]
}

// settle lets go of what the last Input had more.
func (f *family) settle() {
	if n := len(f.endpoints); n < f.used {
		clear(f.endpoints[n:f.used])
	}
	clear(f.sorted[:min(f.used, cap(f.sorted))])
}

// set is the port set of an endpoint.
func (f *family) set(i int) int32 {
	if len(f.sets) == 0 {
		return 0
	}
	return f.sets[i]
}

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
	if d.later {
		f.after = append(f.after, int32(len(d.records)))
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
