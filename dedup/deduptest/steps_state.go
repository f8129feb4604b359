package deduptest

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup/routing"
)

// stateKinds are changes of conditions, in one slice or in all, so that slices may disagree.
var stateKinds = []kind{
	{"unready", nil, stated("unready", false, false, false)},
	{"draining", nil, stated("draining", false, true, true)},
	{"terminated", nil, stated("terminated", false, false, true)},
	{"ready", nil, stated("ready", true, true, false)},
	{"published-unready", nil, stated("unready, and is published as ready", true, false, false)},
	{"published-draining", nil, stated("draining, and is published as ready", true, true, true)},
	{"published-terminated", nil, stated("terminated, and is published as ready", true, false, true)},
	{"mirrored", nil, func(w *cluster, c choose) string {
		return restated(w, one(c, addresses), "unready, in a slice that says nothing else",
			discoveryv1.EndpointConditions{Ready: &no})
	}},
	{"no-serving", nil, func(w *cluster, c choose) string {
		return restated(w, one(c, addresses), "draining, in a slice without the condition serving",
			discoveryv1.EndpointConditions{Ready: &no, Terminating: &yes})
	}},
	{"none-ready", nil, func(w *cluster, _ choose) string {
		w.alter(func(s *discoveryv1.EndpointSlice) {
			for i := range s.Endpoints {
				setConditions(s, s.Endpoints[i].Addresses[0], false, false, false)
			}
		}, slices.Concat(webSlices, []sliceName{web6, web7})...)
		return "no endpoint of web is ready any more"
	}},
	{"contradict", nil, contradicted},
	{"reuse", nil, reused},
	{"double", nil, doubled},
}

var yes, no = true, false

// stated changes the conditions of an endpoint in all slices that have it. For a Service with
// publishNotReadyAddresses, Kubernetes' own controller writes endpoints that are ready although
// they do not serve or although they terminate.
func stated(word string, ready, serving, terminating bool) func(*cluster, choose) string {
	return func(w *cluster, c choose) string {
		return restated(w, one(c, addresses), word,
			discoveryv1.EndpointConditions{Ready: &ready, Serving: &serving, Terminating: &terminating})
	}
}

func restated(w *cluster, address, word string, c discoveryv1.EndpointConditions) string {
	w.alter(func(s *discoveryv1.EndpointSlice) {
		edit(s, address, func(e *discoveryv1.Endpoint) { e.Conditions = *c.DeepCopy() })
	}, webSlices...)
	return fmt.Sprintf("%s becomes %s", address, word)
}

func setConditions(s *discoveryv1.EndpointSlice, address string, ready, serving, terminating bool) {
	edit(s, address, func(e *discoveryv1.Endpoint) {
		e.Conditions = discoveryv1.EndpointConditions{Ready: &ready, Serving: &serving, Terminating: &terminating}
	})
}

// contradicted writes one endpoint to two slices: ready to one of them, and not ready to the other.
func contradicted(w *cluster, c choose) string {
	from, to := pair(c)
	i := c(len(addresses))
	say := func(name sliceName, ready bool) {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			put(s, podAt(i))
			setConditions(s, addresses[i], ready, ready, false)
		})
	}
	older := c(2) == 1
	if older {
		say(to, false)
	}
	if say(from, true); !older {
		say(to, false)
	}
	return fmt.Sprintf("slices %s and %s contradict each other about %s", from.Name, to.Name, addresses[i])
}

// reused gives the address of a Pod that terminates to another target.
func reused(w *cluster, c choose) string {
	from, to := pair(c)
	i := c(len(addresses))
	w.write(to, func(s *discoveryv1.EndpointSlice) { put(s, successor(c, i)) })
	w.write(from, func(s *discoveryv1.EndpointSlice) {
		put(s, podAt(i))
		setConditions(s, addresses[i], false, false, true)
	})
	return fmt.Sprintf("%s terminates in slice %s, and %s has another target with its address", addresses[i], from.Name,
		to.Name)
}

// successor returns the endpoint of a new target that has the address of pod i: a Pod of the same
// name, as in a StatefulSet, a target of another kind with that name, or another Pod.
func successor(c choose, i int) discoveryv1.Endpoint {
	e := podAt(i)
	switch c(3) {
	case 0:
		e.TargetRef.UID += "-again"
	case 1:
		e.TargetRef.Kind, e.TargetRef.UID = "VirtualMachine", "vm"
	default:
		e.TargetRef.Name, e.TargetRef.UID = "pod-new", "new"
	}
	return e
}

// doubled writes to one slice a Pod that terminates, and a new target with the same address.
func doubled(w *cluster, c choose) string {
	name, i := one(c, webSlices), c(len(addresses))
	newFirst := c(2) == 1
	w.write(name, func(s *discoveryv1.EndpointSlice) {
		take(s, addresses[i])
		put(s, podAt(i))
		setConditions(s, addresses[i], false, false, true)
		s.Endpoints = append(s.Endpoints, successor(c, i))
		if n := len(s.Endpoints); newFirst {
			s.Endpoints[n-1], s.Endpoints[n-2] = s.Endpoints[n-2], s.Endpoints[n-1]
		}
	})
	return fmt.Sprintf("%s of slice %s terminates, and a new target in it has its address", addresses[i], name.Name)
}

// hintKinds are changes of hints.
var hintKinds = []kind{
	{"hints", nil, hinted},
	{"hints-ipv6", []string{"IPv6"}, func(w *cluster, _ choose) string {
		w.alter(func(s *discoveryv1.EndpointSlice) {
			for i, zone := range zones {
				e := pod(fmt.Sprintf("fd00::%d", i+1), fmt.Sprintf("pod-%d", i+1))
				e.Hints = hint(zone)
				put(s, e)
			}
		}, web6)
		return "the IPv6 endpoints of web get hints, zone by zone"
	}},
	{"some-hints", nil, func(w *cluster, c choose) string {
		name := one(c, webSlices)
		w.alter(func(s *discoveryv1.EndpointSlice) {
			for i := range s.Endpoints {
				s.Endpoints[i].Hints = hint(zones[i%len(zones)])
			}
		}, name)
		return fmt.Sprintf("the endpoints of slice %s alone get hints", name.Name)
	}},
	{"node-hints", []string{"NodeHints"}, func(w *cluster, c choose) string {
		turn := w.turns(c)
		w.alter(func(s *discoveryv1.EndpointSlice) {
			for i, address := range addresses {
				at := clients[(i+turn)%len(clients)]
				h := hint(at.Zone)
				if h.ForNodes = []discoveryv1.ForNode{{Name: at.NodeName}}; at == clients[2] {
					h.ForNodes = []discoveryv1.ForNode{{Name: "node-3"}, {Name: clients[0].NodeName}}
				}
				edit(s, address, func(e *discoveryv1.Endpoint) { e.Hints = h })
			}
		}, webSlices...)
		return "web gets hints, node by node"
	}},
	{"hints-port", nil, func(w *cluster, c choose) string {
		turn := w.turns(c)
		w.write(webC, func(s *discoveryv1.EndpointSlice) {
			setPorts(port("admin", 8443))(s)
			for i := range zones {
				e := podAt(i)
				e.Hints = hint(zones[(i+turn)%len(zones)])
				put(s, e)
			}
		})
		return "slice web-c has another port, whose endpoints have hints"
	}},
	{"no-node-hint", []string{"NodeHints"}, func(w *cluster, c choose) string {
		address := one(c, addresses)
		w.alter(func(s *discoveryv1.EndpointSlice) {
			edit(s, address, func(e *discoveryv1.Endpoint) { e.Hints = hint(clients[0].Zone) })
		}, webSlices...)
		return fmt.Sprintf("%s has a hint for a zone only", address)
	}},
	{"no-hint", nil, func(w *cluster, c choose) string {
		address := one(c, addresses)
		w.alter(func(s *discoveryv1.EndpointSlice) {
			edit(s, address, func(e *discoveryv1.Endpoint) { e.Hints = nil })
		}, webSlices...)
		return fmt.Sprintf("%s has no hint", address)
	}},
}

var zones = []string{"zone-a", "zone-b"}

// clients are the places at which Reader.Use is called.
var clients = []routing.Location{
	{NodeName: "node-1", Zone: "zone-a"}, {NodeName: "node-2", Zone: "zone-b"}, {NodeName: "node-4", Zone: "zone-c"},
}

func hint(zones ...string) *discoveryv1.EndpointHints {
	h := &discoveryv1.EndpointHints{}
	for _, zone := range zones {
		h.ForZones = append(h.ForZones, discoveryv1.ForZone{Name: zone})
	}
	return h
}

// turns chooses the first zone of hints. Each change of hints in a history gives other ones.
func (w *cluster) turns(c choose) int {
	w.hinted++
	return w.hinted + c(len(zones))
}

// hinted gives each address of web a hint for one zone, and the last address a hint for both zones.
// An address has the same hint in all slices.
func hinted(w *cluster, c choose) string {
	turn := w.turns(c)
	w.alter(func(s *discoveryv1.EndpointSlice) {
		for i, address := range addresses {
			hinted := hint(zones...)
			if i < len(zones) {
				hinted = hint(zones[(i+turn)%len(zones)])
			}
			edit(s, address, func(e *discoveryv1.Endpoint) { e.Hints = hinted })
		}
	}, webSlices...)
	return "web gets hints, zone by zone"
}
