package gen

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/mirror"
)

// CopyOptions draws options of copies without a caller's mistake, and without functions.
func CopyOptions(t *rapid.T) mirror.CopyOptions {
	carry := func(label string) mirror.Carry { return pick(t, label, mirror.Drop, mirror.Keep, mirror.Map) }
	o := mirror.CopyOptions{
		Zone: carry("zone"), Node: carry("node"), Hints: carry("hints"), EachAddress: chance(t, 3, "each address"),
		TargetRef: pick(t, "target", mirror.Drop, mirror.Keep), HostnameFromPod: chance(t, 3, "hostname"),
	}
	if o.Zone == mirror.Map || o.Hints == mirror.Map {
		o.ZoneNames = map[string]string{"zone-a": "z1", "zone-b": "z1"}
	}
	if o.Node == mirror.Map || o.Hints == mirror.Map {
		o.NodeNames = map[string]string{"node-a": "n1", "node-b": ""}
	}
	return o
}

// Slices draws slices of one Service, as readers find them.
func Slices(t *rapid.T) []*discoveryv1.EndpointSlice {
	all := World(t).Existing
	for i, s := range all {
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[discoveryv1.LabelServiceName] = Name
		s.Name = fmt.Sprintf("s%d", i)
	}
	return all
}
