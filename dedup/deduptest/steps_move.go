package deduptest

import (
	"fmt"
	"slices"

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
		if !w.has(a) || !w.has(b) {
			return
		}
		x, y := w.record(a).stored.DeepCopy().Endpoints, w.record(b).stored.DeepCopy().Endpoints
		w.write(a, func(s *discoveryv1.EndpointSlice) { s.Endpoints = y })
		w.write(b, func(s *discoveryv1.EndpointSlice) { s.Endpoints = x })
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
		var lists [][]discoveryv1.Endpoint
		for _, name := range order {
			lists = append(lists, w.record(name).stored.DeepCopy().Endpoints)
		}
		for i, name := range order {
			w.write(name, func(s *discoveryv1.EndpointSlice) {
				s.Endpoints = lists[(i+1)%len(lists)]
				setPorts(to)(s)
			})
		}
	}}
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
