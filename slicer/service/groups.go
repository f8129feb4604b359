package service

import (
	"time"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// groups makes all wanted endpoints, in the order of their workloads, and groups them by family and then by the numbers of
// their ports. They lie in memory of their own.
func (w *wanted) groups() []slicer.Group {
	sets := len(w.ports.sets)
	ends := make([]int, len(families)*sets) // how many endpoints each family and port set has, then where the next belongs
	for i := range w.endpoints {
		ends[int(w.endpoints[i].family)*sets+int(w.endpoints[i].set)]++
	}
	endpoints, changed := make([]discoveryv1.Endpoint, len(w.endpoints)), make([]time.Time, len(w.endpoints))
	var groups []slicer.Group
	end := 0
	for family, addressType := range families {
		for _, set := range w.ports.sorted() {
			count := &ends[family*sets+int(set)]
			start := end
			end += *count
			if *count > 0 {
				groups = append(groups, slicer.Group{
					AddressType: addressType, Ports: w.ports.ports(set), Endpoints: endpoints[start:end:end], Changed: changed[start:end:end],
				})
			}
			*count = start
		}
	}
	var l leaves
	l.targets.reserve(len(w.endpoints))
	l.lists.reserve(len(w.endpoints))
	for i := range w.endpoints {
		at := &ends[int(w.endpoints[i].family)*sets+int(w.endpoints[i].set)]
		w.make(int32(i), &endpoints[*at], &l)
		changed[*at] = w.changed(w.endpoints[i].workload)
		*at++
	}
	return groups
}
