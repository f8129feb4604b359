package slicertest

import (
	"maps"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// gapJudge finds endpoints that go missing during a sync.
type gapJudge struct {
	wanted map[pair]bool        // endpoints that must be published in the end
	held   map[pair]bool        // endpoints that were published and are wanted
	moving map[endpointKey]bool // wanted endpoints that were published on other ports
}

// begin notes the published and the wanted endpoints at the start of a sync.
func (g *gapJudge) begin(r *replay) {
	*g = gapJudge{wanted: map[pair]bool{}, held: map[pair]bool{}, moving: map[endpointKey]bool{}}
	if r.excused || r.log.Silent || r.visiting || r.cache.Horizon() <= r.people.joined {
		return
	}
	to := map[endpointKey]string{} // for each wanted endpoint: its ports
	for _, w := range r.wanted() {
		if !w.Optional {
			p := w.pair()
			g.wanted[p], to[p.endpointKey] = true, p.ports
		}
	}
	published := r.published()
	moves := map[string][]string{} // for each list of ports: the ports to which endpoints change
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

// leads reports whether moves lead from one list of ports to another, in one or more steps. If they
// lead back to the first list, slices may have to wait for each other in a cycle.
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

// after judges the published endpoints after a write. A create removes no endpoint, so nothing is
// judged.
func (g *gapJudge) after(r *replay, q *request) {
	if r.excused || r.log.Silent || r.visiting {
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
	return pair{endpointKey{w.AddressType, sim.Canonical(w.Endpoint.Addresses[0])}, portsOf(w.Ports)}
}
