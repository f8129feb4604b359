package deduptest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// moveKinds are changes in which endpoints are added, removed, and moved between slices.
var moveKinds = []kind{
	{"copy", nil, copied},
	{"take", nil, taken},
	{"move-copied-first", nil, func(w *cluster, c choose) string { return moved(w, c, true) }},
	{"move", nil, func(w *cluster, c choose) string { return moved(w, c, false) }},
	{"swap", nil, swapped},
	{"rotate-name", nil, func(w *cluster, c choose) string { return rotated(w, c, "name", port("web", 8080)) }},
	{"rotate-number", []string{"SeveralNumbers"}, func(w *cluster, c choose) string {
		return rotated(w, c, "number", port("http", 8081))
	}},
	{"empty", nil, emptied},
	{"visit", nil, visited},
}

// pair chooses two slices of web.
func pair(c choose) (a, b sliceName) {
	i := c(len(webSlices))
	return webSlices[i], webSlices[(i+1+c(len(webSlices)-1))%len(webSlices)]
}

func copied(w *cluster, c choose) string {
	from, to := pair(c)
	i := c(len(addresses))
	copyTo(w, from, to, i)
	return fmt.Sprintf("slice %s gets a copy of %s in %s", to.Name, addresses[i], from.Name)
}

func copyTo(w *cluster, from, to sliceName, i int) {
	e := podAt(i)
	if w.has(from) {
		edit(w.record(from).stored, addresses[i], func(there *discoveryv1.Endpoint) { e = *there.DeepCopy() })
	}
	w.write(to, func(s *discoveryv1.EndpointSlice) { put(s, e) })
}

func taken(w *cluster, c choose) string {
	from, address := one(c, webSlices), one(c, addresses)
	leave(w, from, address)
	return fmt.Sprintf("%s leaves slice %s", address, from.Name)
}

func leave(w *cluster, from sliceName, address string) {
	w.alter(func(s *discoveryv1.EndpointSlice) { take(s, address) }, from)
}

func moved(w *cluster, c choose, copyFirst bool) string {
	from, to := pair(c)
	i, how := c(len(addresses)), "removed"
	if copyFirst {
		how = "copied"
		copyTo(w, from, to, i)
	}
	leave(w, from, addresses[i])
	if !copyFirst {
		copyTo(w, from, to, i)
	}
	return fmt.Sprintf("%s moves from slice %s to %s, %s first", addresses[i], from.Name, to.Name, how)
}

func swapped(w *cluster, c choose) string {
	a, b := pair(c)
	if w.has(a) && w.has(b) {
		rotate(w, []sliceName{a, b}, func(*discoveryv1.EndpointSlice) {})
	}
	return fmt.Sprintf("slices %s and %s swap their endpoints", a.Name, b.Name)
}

// rotated does to slices what Kubernetes' own controller does if a port of the Service changes.
func rotated(w *cluster, c choose, what string, to discoveryv1.EndpointPort) string {
	order := slices.Clone(webSlices)
	if c(2) == 1 {
		slices.Reverse(order)
	}
	order = slices.DeleteFunc(order, func(name sliceName) bool { return !w.has(name) })
	rotate(w, order, setPorts(to))
	return "the endpoints of web go round its slices, with another port " + what
}

// rotate gives each slice the endpoints of the next slice, and calls change for it.
func rotate(w *cluster, names []sliceName, change func(*discoveryv1.EndpointSlice)) {
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

func emptied(w *cluster, c choose) string {
	name := one(c, allSlices)
	w.alter(func(s *discoveryv1.EndpointSlice) { s.Endpoints = nil }, name)
	return fmt.Sprintf("slice %s loses all endpoints", name.Name)
}

// visited twice adds an endpoint to a slice and removes it. Endpoints in other slices do not
// change.
func visited(w *cluster, c choose) string {
	name := one(c, []sliceName{webC, webB, webA})
	for range 2 {
		w.write(name, func(s *discoveryv1.EndpointSlice) { put(s, pod("10.0.0.4", "pod-4")) })
		leave(w, name, "10.0.0.4")
	}
	return fmt.Sprintf("10.0.0.4 comes to slice %s and goes, twice", name.Name)
}

// portKinds are changes of ports.
var portKinds = []kind{
	{"port-number", []string{"SeveralNumbers"}, ported("the port number of web changes", port("http", 9090))},
	{"port-name", nil, ported("the port of web gets another name", port("web", 8080))},
	{"second-port", nil, ported("web gets a second port", port("http", 8080), port("admin", 8443))},
	{"no-ports", nil, ported("web loses its ports")},
	{"several-numbers", []string{"SeveralNumbers"}, func(w *cluster, c choose) string {
		name, i := one(c, []sliceName{webB, webA, webC}), c(len(addresses))
		return oddPort(w, name, i, addresses[i]+" with another port number", port("http", 8082))
	}},
	{"any-port", []string{"AnyPort"}, func(w *cluster, c choose) string {
		return oddPort(w, one(c, []sliceName{webC, webB, webA}), 1, "a port without a number", port("http", 0))
	}},
	{"unnamed-port", []string{"UnnamedPort"}, func(w *cluster, _ choose) string {
		w.alter(setPorts(port("grpc", 9000), port("", 9100)), apiA)
		return "slice api-a has a port without a name beside another one"
	}},
	{"udp", []string{"UDP"}, func(w *cluster, c choose) string {
		udp := port("http", 8080)
		*udp.Protocol = corev1.ProtocolUDP
		return oddPort(w, one(c, []sliceName{webC, webB}), 1, "a UDP port of the same name", udp)
	}},
}

// ported sets the ports of all slices of web, one slice after the other.
func ported(text string, ports ...discoveryv1.EndpointPort) func(*cluster, choose) string {
	return func(w *cluster, c choose) string {
		turn := c(len(webSlices))
		w.alter(setPorts(ports...), slices.Concat(webSlices[turn:], webSlices[:turn], []sliceName{web6, web7})...)
		return text
	}
}

func setPorts(ports ...discoveryv1.EndpointPort) func(*discoveryv1.EndpointSlice) {
	return func(s *discoveryv1.EndpointSlice) {
		s.Ports = nil
		for i := range ports {
			s.Ports = append(s.Ports, *ports[i].DeepCopy())
		}
	}
}

// oddPort writes a slice with one of the Pods, on a port that other slices of web do not have.
func oddPort(w *cluster, name sliceName, i int, what string, p discoveryv1.EndpointPort) string {
	w.write(name, func(s *discoveryv1.EndpointSlice) {
		setPorts(p)(s)
		put(s, podAt(i))
	})
	return fmt.Sprintf("slice %s has %s", name.Name, what)
}
