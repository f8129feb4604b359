package deduptest

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// hintKinds are steps in which hints change.
var hintKinds = []kind{
	{"hints", false, nil, hinted},
	{"hints-ipv6", false, []string{"IPv6"}, func(choose) step {
		return step{text: "the IPv6 endpoints of web get hints, zone by zone", do: func(w *world) {
			w.alter(func(s *discoveryv1.EndpointSlice) {
				for i, zone := range zones {
					e := pod(fmt.Sprintf("fd00::%d", i+1), fmt.Sprintf("pod-%d", i+1))
					e.Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
					put(s, e)
				}
			}, web6)
		}}
	}},
	{"no-hint", false, nil, func(c choose) step {
		i := c(len(addresses))
		return step{text: fmt.Sprintf("%s has no hint", addresses[i]), do: func(w *world) {
			w.alter(func(s *discoveryv1.EndpointSlice) {
				if at := find(s, addresses[i]); at >= 0 {
					s.Endpoints[at].Hints = nil
				}
			}, webSlices...)
		}}
	}},
}

var zones = []string{"zone-a", "zone-b"}

// hinted gives each address of web a zone, the same in all slices.
func hinted(c choose) step {
	turn := c(len(zones))
	return step{text: "web gets hints, zone by zone", do: func(w *world) {
		w.alter(func(s *discoveryv1.EndpointSlice) {
			for i, address := range addresses {
				if at := find(s, address); at >= 0 {
					zone := zones[(i+turn)%len(zones)]
					s.Endpoints[at].Hints = &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: zone}}}
				}
			}
		}, webSlices...)
	}}
}
