package conformance

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// moved counts the endpoints that stay and are in another slice.
func (t *Tally) moved(before, after []*discoveryv1.EndpointSlice) {
	old := whereabouts(before)
	for e, now := range whereabouts(after) {
		if was, ok := old[e]; ok && was != now {
			t.Moved++
		}
	}
}

// whereabouts tells the slice that holds each endpoint.
func whereabouts(list []*discoveryv1.EndpointSlice) map[string]string {
	where := map[string]string{}
	for _, s := range list {
		for i := range s.Endpoints {
			where[anyPorts(s, &s.Endpoints[i])] = s.Name
		}
	}
	return where
}

// gone counts the endpoints that are there before the first and after the last write, and not after one in between.
func (t *Tally) gone(before []*discoveryv1.EndpointSlice, writes []Write) {
	copies, missing := map[string]int{}, map[string]bool{}
	hold := func(s *discoveryv1.EndpointSlice, more int) {
		if s == nil {
			return
		}
		for i := range s.Endpoints {
			copies[anyPorts(s, &s.Endpoints[i])] += more
		}
	}
	objects := map[string]*discoveryv1.EndpointSlice{}
	for _, s := range before {
		objects[s.Name] = s
		hold(s, 1)
	}
	for _, w := range writes {
		old := objects[w.Name]
		hold(w.Slice, 1)
		hold(old, -1)
		for i := 0; old != nil && i < len(old.Endpoints); i++ {
			if e := anyPorts(old, &old.Endpoints[i]); copies[e] == 0 {
				missing[e] = true
			}
		}
	}
	for e := range missing {
		if copies[e] > 0 {
			t.Gone++
		}
	}
}
