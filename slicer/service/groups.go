package service

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// groups makes all wanted endpoints, in the order of their workloads, and groups them by family and then by the numbers of
// their ports. They lie in memory of their own.
func (d *derivation) groups() []slicer.Group {
	sets := len(d.ports.sets)
	ends := make([]int, len(families)*sets) // how many endpoints each family and port set has, then where the next belongs
	for i := range d.wanted {
		ends[int(d.wanted[i].family)*sets+int(d.wanted[i].set)]++
	}
	endpoints, changed := make([]discoveryv1.Endpoint, len(d.wanted)), make([]time.Time, len(d.wanted))
	var groups []slicer.Group
	end := 0
	for family, addressType := range families {
		for _, set := range d.ports.sorted() {
			count := &ends[family*sets+int(set)]
			start := end
			end += *count
			if *count > 0 {
				groups = append(groups, slicer.Group{
					AddressType: addressType, Ports: d.ports.ports(set), Endpoints: endpoints[start:end:end], Changed: changed[start:end:end],
				})
			}
			*count = start
		}
	}
	d.targets, d.lists = arena[corev1.ObjectReference]{}, arena[[1]string]{}
	d.targets.reserve(len(d.wanted))
	d.lists.reserve(len(d.wanted))
	for i := range d.wanted {
		at := &ends[int(d.wanted[i].family)*sets+int(d.wanted[i].set)]
		d.make(int32(i), &endpoints[*at])
		changed[*at] = d.changed(int32(i))
		*at++
	}
	d.targets, d.lists = arena[corev1.ObjectReference]{}, arena[[1]string]{}
	return groups
}
