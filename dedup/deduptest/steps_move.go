package deduptest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// moveKinds are steps in which endpoints come, go, and move between slices.
var moveKinds = []kind{
	{"copy", false, nil, copied},
	{"take", false, nil, taken},
	{"move-copied-first", false, nil, func(c choose) step { return moved(c, true) }},
	{"move", false, nil, func(c choose) step { return moved(c, false) }},
	{"swap", false, nil, swapped},
	{"rotate-name", false, nil, func(c choose) step { return rotated(c, "name", port("web", 8080)) }},
	{"rotate-number", false, []string{"SeveralNumbers"}, func(c choose) step { return rotated(c, "number", port("http", 8081)) }},
	{"empty", false, nil, emptied},
	{"visit", false, nil, visited},
}

// pair chooses two slices of web.
func pair(c choose) (a, b sliceName) {
	i := c(len(webSlices))
	return webSlices[i], webSlices[(i+1+c(len(webSlices)-1))%len(webSlices)]
}

func copied(c choose) step {
	from, to := pair(c)
	i := c(len(addresses))
	return step{text: fmt.Sprintf("slice %s gets a copy of %s in %s", to.Name, addresses[i], from.Name), do: func(w *world) { copyTo(w, from, to, i) }}
}

func copyTo(w *world, from, to sliceName, i int) {
	e := podAt(i)
	if w.has(from) {
		if at := find(w.record(from).stored, addresses[i]); at >= 0 {
			e = *w.record(from).stored.Endpoints[at].DeepCopy()
		}
	}
	w.write(to, func(s *discoveryv1.EndpointSlice) { put(s, e) })
}

func taken(c choose) step {
	from := one(c, webSlices)
	i := c(len(addresses))
	return step{text: fmt.Sprintf("%s leaves slice %s", addresses[i], from.Name), do: func(w *world) { leave(w, from, addresses[i]) }}
}

func leave(w *world, from sliceName, address string) {
	w.alter(func(s *discoveryv1.EndpointSlice) { take(s, address) }, from)
}

func moved(c choose, copyFirst bool) step {
	from, to := pair(c)
	i := c(len(addresses))
	how := "removed"
	if copyFirst {
		how = "copied"
	}
	return step{text: fmt.Sprintf("%s moves from slice %s to %s, %s first", addresses[i], from.Name, to.Name, how), do: func(w *world) {
		if copyFirst {
			copyTo(w, from, to, i)
		}
		leave(w, from, addresses[i])
		if !copyFirst {
			copyTo(w, from, to, i)
		}
	}}
}

func swapped(c choose) step {
	a, b := pair(c)
	return step{text: fmt.Sprintf("slices %s and %s swap their endpoints", a.Name, b.Name), do: func(w *world) {
		if w.has(a) && w.has(b) {
			rotate(w, []sliceName{a, b}, func(*discoveryv1.EndpointSlice) {})
		}
	}}
}

// rotated is what Kubernetes' own controller does to the slices of a Service whose port changes.
func rotated(c choose, what string, to discoveryv1.EndpointPort) step {
	backwards := c(2) == 1
	return step{text: "the endpoints of web go round its slices, with another port " + what, do: func(w *world) {
		order := slices.Clone(webSlices)
		if backwards {
			slices.Reverse(order)
		}
		order = slices.DeleteFunc(order, func(name sliceName) bool { return !w.has(name) })
		rotate(w, order, setPorts(to))
	}}
}

// rotate gives each slice the endpoints of the next one, and changes it.
func rotate(w *world, names []sliceName, change func(*discoveryv1.EndpointSlice)) {
	var lists [][]discoveryv1.Endpoint
	for _, name := range names {
		lists = append(lists, w.record(name).stored.DeepCopy().Endpoints)
	}
	for i, name := range names {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			s.Endpoints = lists[(i+1)%len(lists)]
			change(s)
		})
	}
}

func emptied(c choose) step {
	name := one(c, allSlices)
	return step{text: fmt.Sprintf("slice %s loses all endpoints", name.Name), do: func(w *world) {
		w.alter(func(s *discoveryv1.EndpointSlice) { s.Endpoints = nil }, name)
	}}
}

// visited has an endpoint that comes and goes twice, which says nothing of endpoints in other slices.
func visited(c choose) step {
	name := one(c, []sliceName{webC, webB, webA})
	return step{text: fmt.Sprintf("10.0.0.4 comes to slice %s and goes, twice", name.Name), do: func(w *world) {
		for range 2 {
			w.write(name, func(s *discoveryv1.EndpointSlice) { put(s, pod("10.0.0.4", "pod-4")) })
			leave(w, name, "10.0.0.4")
		}
	}}
}

// portKinds are steps in which ports change.
var portKinds = []kind{
	{"port-number", false, []string{"SeveralNumbers"}, func(c choose) step { return ported(c, "the port number of web changes", port("http", 9090)) }},
	{"port-name", false, nil, func(c choose) step { return ported(c, "the port of web gets another name", port("web", 8080)) }},
	{"second-port", false, nil, func(c choose) step {
		return ported(c, "web gets a second port", port("http", 8080), port("admin", 8443))
	}},
	{"no-ports", false, nil, func(c choose) step { return ported(c, "web loses its ports") }},
	{"several-numbers", false, []string{"SeveralNumbers"}, func(c choose) step {
		name, i := one(c, []sliceName{webB, webA, webC}), c(len(addresses))
		return oddPort(name, i, addresses[i]+" with another port number", port("http", 8082))
	}},
	{"any-port", false, []string{"AnyPort"}, func(c choose) step {
		return oddPort(one(c, []sliceName{webC, webB, webA}), 1, "a port without a number", port("http", 0))
	}},
	{"unnamed-port", false, []string{"UnnamedPort"}, func(choose) step {
		return step{text: "slice api-a has a port without a name beside another one", do: func(w *world) {
			w.alter(setPorts(port("grpc", 9000), port("", 9100)), apiA)
		}}
	}},
	{"udp", false, []string{"UDP"}, func(c choose) step {
		udp := port("http", 8080)
		*udp.Protocol = corev1.ProtocolUDP
		return oddPort(one(c, []sliceName{webC, webB}), 1, "a UDP port of the same name", udp)
	}},
}

// ported changes all slices of web, one after the other.
func ported(c choose, text string, ports ...discoveryv1.EndpointPort) step {
	turn := c(len(webSlices))
	return step{text: text, do: func(w *world) {
		w.alter(setPorts(ports...), slices.Concat(webSlices[turn:], webSlices[:turn], []sliceName{web6, web7})...)
	}}
}

func setPorts(ports ...discoveryv1.EndpointPort) func(*discoveryv1.EndpointSlice) {
	return func(s *discoveryv1.EndpointSlice) {
		s.Ports = nil
		for i := range ports {
			s.Ports = append(s.Ports, *ports[i].DeepCopy())
		}
	}
}

// oddPort makes a slice that has one of the Pods on a port that other slices of web do not have.
func oddPort(name sliceName, i int, what string, p discoveryv1.EndpointPort) step {
	return step{text: fmt.Sprintf("slice %s has %s", name.Name, what), do: func(w *world) {
		w.write(name, func(s *discoveryv1.EndpointSlice) {
			setPorts(p)(s)
			put(s, podAt(i))
		})
	}}
}
