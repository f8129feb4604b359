package conformance

import (
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

func (t *Tally) write(writes []Write) {
	for _, w := range writes {
		switch w.Verb {
		case slicer.Create:
			t.Creates++
		case slicer.Update:
			t.Updates++
		case slicer.Delete:
			t.Deletes++
		}
		if w.Slice != nil {
			t.Bytes += w.Slice.Size()
		}
	}
}

// spot is where an endpoint is and what it is hinted to.
type spot struct{ slice, zone, hint string }

func spots(list []*discoveryv1.EndpointSlice) map[string]spot {
	where := map[string]spot{}
	for _, s := range list {
		for i := range s.Endpoints {
			e := &s.Endpoints[i]
			at := spot{slice: s.Name}
			if isReady(e) {
				at.zone, at.hint = text(e.Zone), hintsOf(e)
			}
			where[anyPorts(s, e)] = at
		}
	}
	return where
}

// compare counts the endpoints that stay and moved, or are ready as before and have another hint.
func (t *Tally) compare(before, after []*discoveryv1.EndpointSlice) {
	old := spots(before)
	for e, now := range spots(after) {
		was, ok := old[e]
		if !ok {
			continue
		}
		if was.slice != now.slice {
			t.Moved++
		}
		if was.zone != "" && was.zone == now.zone && was.hint != now.hint {
			t.Hints++
		}
	}
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

// starve counts zones below their minimum while hints are on.
func (t *Tally) starve(z zones, after []*discoveryv1.EndpointSlice) {
	h := countHints(after)
	if !h.on() {
		return
	}
	for zone := range z {
		if h.zones[zone] < z.minimum(zone, h.ready) {
			t.Starved++
		}
	}
}
