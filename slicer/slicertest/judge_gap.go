package slicertest

import (
	"maps"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// gapJudge watches what must not go missing during a sync.
type gapJudge struct {
	wanted map[pair]bool        // what must be published in the end
	held   map[pair]bool        // what was published and is wanted
	moving map[endpointKey]bool // endpoints that were published on other ports than they should be
}

// begin takes what is published and wanted at the start of a sync.
func (g *gapJudge) begin(r *replay, s State) {
	*g = gapJudge{wanted: map[pair]bool{}, held: map[pair]bool{}, moving: map[endpointKey]bool{}}
	if r.excused || r.log.Silent {
		return
	}
	to := map[endpointKey]string{} // the ports that an endpoint should have
	for _, w := range r.kit.Want(s) {
		if !w.Optional {
			p := w.pair()
			g.wanted[p], to[p.endpointKey] = true, p.ports
		}
	}
	published := r.published()
	moves := map[string][]string{} // from which ports to which
	for _, p := range published {
		if ports, ok := to[p.endpointKey]; ok && ports != p.ports {
			g.moving[p.endpointKey] = true
			moves[p.ports] = append(moves[p.ports], ports)
		}
	}
	for ports := range moves {
		if leads(moves, ports, ports, map[string]bool{}) {
			g.moving = nil
		}
	}
	g.note(published)
}

// published lists the endpoints of the writer's slices on the API server. It reads each version of
// a slice once.
func (r *replay) published() (all []place) {
	for _, s := range r.api.server.Originals() {
		if !r.owns(s) {
			continue
		}
		found, ok := r.places[s]
		if !ok {
			found = places([]*discoveryv1.EndpointSlice{s})
			r.places[s] = found
		}
		all = append(all, found...)
	}
	return all
}

// leads reports whether moves lead from one port set to another, in one or more steps. Where they
// lead back, slices can have to wait for each other.
func leads(moves map[string][]string, from, to string, seen map[string]bool) bool {
	return slices.ContainsFunc(moves[from], func(next string) bool {
		known := seen[next]
		seen[next] = true
		return next == to || !known && leads(moves, next, to, seen)
	})
}

func (g *gapJudge) note(published []place) {
	for _, p := range published {
		if g.wanted[p.pair] {
			g.held[p.pair] = true
		}
	}
}

// after judges after a write. A create takes no endpoint away.
func (g *gapJudge) after(r *replay, q *request) {
	if r.excused || r.log.Silent {
		return
	}
	if q.verb == "create" {
		if q.stored != nil && r.owns(q.stored) {
			g.note(places([]*discoveryv1.EndpointSlice{q.stored}))
		}
		return
	}
	published := r.published()
	now, anywhere := map[pair]bool{}, map[endpointKey]bool{}
	for _, p := range published {
		now[p.pair], anywhere[p.endpointKey] = true, true
	}
	for _, p := range slices.SortedFunc(maps.Keys(g.held), comparePairs) {
		if !now[p] {
			r.log.Fail("no-gap", "%s is wanted, was published, and is in no slice now", p)
			delete(g.held, p)
		}
	}
	for key := range g.moving {
		if !anywhere[key] {
			r.log.Fail("no-port-gap", "%s changes its ports, and is in no slice now", key.address)
			delete(g.moving, key)
		}
	}
	g.note(published)
}

func (w Want) pair() pair {
	return pair{endpointKey{w.AddressType, canonical(w.Endpoint.Addresses[0])}, portsOf(w.Ports)}
}
