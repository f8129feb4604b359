package deduptest

import (
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// stateKinds are steps in which conditions change, in one slice or in all, so that slices may disagree.
var stateKinds = []kind{
	{"unready", false, nil, func(c choose) step { return stated(c, "unready", false, false, false) }},
	{"draining", false, nil, func(c choose) step { return stated(c, "draining", false, true, true) }},
	{"terminated", false, nil, func(c choose) step { return stated(c, "terminated", false, false, true) }},
	{"ready", false, nil, func(c choose) step { return stated(c, "ready", true, true, false) }},
	{"contradict", false, nil, contradicted},
	{"reuse", false, nil, reused},
	{"double", false, nil, doubled},
}

// stated changes an endpoint wherever it is.
func stated(c choose, word string, ready, serving, terminating bool) step {
	i := c(len(addresses))
	return step{text: fmt.Sprintf("%s becomes %s", addresses[i], word), do: func(w *world) {
		w.alter(func(s *discoveryv1.EndpointSlice) { setConditions(s, addresses[i], ready, serving, terminating) }, webSlices...)
	}}
}

func setConditions(s *discoveryv1.EndpointSlice, address string, ready, serving, terminating bool) {
	if at := find(s, address); at >= 0 {
		s.Endpoints[at].Conditions = discoveryv1.EndpointConditions{Ready: &ready, Serving: &serving, Terminating: &terminating}
	}
}

// contradicted makes a copy in another slice that says otherwise.
func contradicted(c choose) step {
	from, to := pair(c)
	i := c(len(addresses))
	older := c(2) == 1
	return step{text: fmt.Sprintf("slices %s and %s contradict each other about %s", from.Name, to.Name, addresses[i]), do: func(w *world) {
		say := func(name sliceName, ready bool) {
			w.write(name, func(s *discoveryv1.EndpointSlice) {
				put(s, podAt(i))
				setConditions(s, addresses[i], ready, ready, false)
			})
		}
		if older {
			say(to, false)
		}
		if say(from, true); !older {
			say(to, false)
		}
	}}
}

// reused gives the address of a Pod that terminates to another Pod.
func reused(c choose) step {
	from, to := pair(c)
	i := c(len(addresses))
	return step{text: fmt.Sprintf("%s terminates in slice %s, and %s has another Pod with its address", addresses[i], from.Name, to.Name), do: func(w *world) {
		w.write(to, func(s *discoveryv1.EndpointSlice) { put(s, pod(addresses[i], "pod-new")) })
		w.write(from, func(s *discoveryv1.EndpointSlice) {
			put(s, podAt(i))
			setConditions(s, addresses[i], false, false, true)
		})
	}}
}

// doubled has a Pod that terminates and a new one with its address in one slice.
func doubled(c choose) step {
	name := one(c, webSlices)
	i := c(len(addresses))
	newFirst := c(2) == 1
	return step{text: fmt.Sprintf("%s of slice %s terminates, and a new Pod in the slice has its address", addresses[i], name.Name), do: func(w *world) {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			old := podAt(i)
			take(s, addresses[i])
			put(s, old)
			setConditions(s, addresses[i], false, false, true)
			s.Endpoints = append(s.Endpoints, pod(addresses[i], "pod-new"))
			if n := len(s.Endpoints); newFirst {
				s.Endpoints[n-1], s.Endpoints[n-2] = s.Endpoints[n-2], s.Endpoints[n-1]
			}
		})
	}}
}

// hintKinds are steps in which hints change.
var hintKinds = []kind{
	{"hints", false, nil, hinted},
	{"hints-ipv6", false, []string{"IPv6"}, func(choose) step {
		return step{text: "the IPv6 endpoints of web get hints, zone by zone", do: func(w *world) {
			w.alter(func(s *discoveryv1.EndpointSlice) {
				for i, zone := range zones {
					e := pod(fmt.Sprintf("fd00::%d", i+1), fmt.Sprintf("pod-%d", i+1))
					e.Hints = hint(zone)
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

func hint(zones ...string) *discoveryv1.EndpointHints {
	h := &discoveryv1.EndpointHints{}
	for _, zone := range zones {
		h.ForZones = append(h.ForZones, discoveryv1.ForZone{Name: zone})
	}
	return h
}

// hinted gives each address of web a zone, and the last one both, the same in all slices.
func hinted(c choose) step {
	turn := c(len(zones))
	return step{text: "web gets hints, zone by zone", do: func(w *world) {
		w.alter(func(s *discoveryv1.EndpointSlice) {
			for i, address := range addresses {
				at := find(s, address)
				if at >= 0 && i < len(zones) {
					s.Endpoints[at].Hints = hint(zones[(i+turn)%len(zones)])
				} else if at >= 0 {
					s.Endpoints[at].Hints = hint(zones...)
				}
			}
		}, webSlices...)
	}}
}
