package deduptest

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// wordingKinds are steps in which nothing changes that a reader shows.
var wordingKinds = []kind{
	{"resync", false, nil, func(choose) step {
		return step{text: "the informer resyncs", do: func(w *world) {
			for _, name := range allSlices {
				w.resync(name)
			}
		}}
	}},
	{"reword", false, nil, func(c choose) step {
		name := one(c, allSlices)
		return step{text: fmt.Sprintf("slice %s gets an annotation, and its endpoints in another order", name.Name), do: func(w *world) {
			w.reword(name, func(s *discoveryv1.EndpointSlice) {
				s.Annotations = map[string]string{"example.com/note": fmt.Sprint(w.versions)}
				slices.Reverse(s.Endpoints)
			})
		}}
	}},
	{"leave-out", false, nil, func(c choose) step {
		name := one(c, webSlices)
		return step{text: fmt.Sprintf("slice %s leaves out conditions that mean the same when nil", name.Name), do: func(w *world) {
			w.reword(name, func(s *discoveryv1.EndpointSlice) {
				for i := range s.Endpoints {
					leaveOut(&s.Endpoints[i].Conditions)
				}
			})
		}}
	}},
	{"second-address", false, nil, func(c choose) step {
		name := one(c, webSlices)
		i := c(len(addresses))
		return step{text: fmt.Sprintf("%s of slice %s gets a second address", addresses[i], name.Name), do: func(w *world) {
			w.reword(name, func(s *discoveryv1.EndpointSlice) {
				if at := find(s, addresses[i]); at >= 0 {
					s.Endpoints[at].Addresses = []string{addresses[i], "10.0.1.1"}
				}
			})
		}}
	}},
	{"spell", false, []string{"IPv6", "Spelling"}, func(choose) step {
		return step{text: "slice web-7 spells fd00::1 otherwise", do: func(w *world) {
			w.write(web7, func(s *discoveryv1.EndpointSlice) { s.Endpoints = []discoveryv1.Endpoint{pod("FD00:0::1", "pod-1")} })
		}}
	}},
}

// leaveOut removes the conditions that nil means. An endpoint that is ready may leave out all three.
func leaveOut(c *discoveryv1.EndpointConditions) {
	if c.Ready != nil && *c.Ready {
		c.Ready = nil
	}
	if c.Serving != nil && *c.Serving {
		c.Serving = nil
	}
	if c.Terminating != nil && !*c.Terminating {
		c.Terminating = nil
	}
}
