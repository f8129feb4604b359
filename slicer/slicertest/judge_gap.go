package slicertest

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// endpointKey is an endpoint on any ports.
type endpointKey struct {
	addressType discoveryv1.AddressType
	address     string
}

func (p pair) key() endpointKey { return endpointKey{p.addressType, p.address} }

// gapJudge watches what must not go missing during a sync.
type gapJudge struct {
	wanted  map[pair]bool        // what must be published in the end
	held    map[pair]bool        // what was published and is wanted
	moving  map[endpointKey]bool // endpoints that were published on other ports than they should be
	excused bool
}

// begin takes what is published and wanted at the start of a sync.
func (g *gapJudge) begin(r *replay, s State) {
	*g = gapJudge{wanted: map[pair]bool{}, held: map[pair]bool{}, moving: map[endpointKey]bool{}, excused: r.excused || r.log.Silent}
	if g.excused {
		return
	}
	to := map[endpointKey]string{} // the ports that an endpoint should have
	for _, w := range r.kit.Options.Want(s) {
		if !w.Optional {
			p := w.pair()
			g.wanted[p], to[p.key()] = true, p.ports
		}
	}
	published := places(r.own())
	moves := map[string]map[string]bool{} // from which ports to which
	for _, p := range published {
		if ports, ok := to[p.key()]; ok && ports != p.ports {
			g.moving[p.key()] = true
			if moves[p.ports] == nil {
				moves[p.ports] = map[string]bool{}
			}
			moves[p.ports][ports] = true
		}
	}
	for ports := range moves {
		if leads(moves, ports, ports, map[string]bool{}) {
			g.moving = nil
		}
	}
	g.note(published)
}

// leads reports whether moves lead from one port set to another, in one or more steps. Where they lead back, slices can have
// to wait for each other.
func leads(moves map[string]map[string]bool, from, to string, seen map[string]bool) bool {
	for next := range moves[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if leads(moves, next, to, seen) {
				return true
			}
		}
	}
	return false
}

func (g *gapJudge) note(published []place) {
	for _, p := range published {
		if g.wanted[p.pair] {
			g.held[p.pair] = true
		}
	}
}

// after judges after a write.
func (g *gapJudge) after(r *replay) {
	if g.excused {
		return
	}
	published := places(r.own())
	now, anywhere := map[pair]bool{}, map[endpointKey]bool{}
	for _, p := range published {
		now[p.pair], anywhere[p.key()] = true, true
	}
	for p := range g.held {
		if !now[p] {
			r.fail("no-gap", "%s is wanted, was published, and is in no slice now", least(g.held, now))
			delete(g.held, p)
		}
	}
	for key := range g.moving {
		if !anywhere[key] {
			r.fail("no-port-gap", "%s changes its ports, and is in no slice now", key.address)
			delete(g.moving, key)
		}
	}
	g.note(published)
}

// least is the first of the pairs that are held and not there now.
func least(held, now map[pair]bool) pair {
	var first pair
	for p := range held {
		if !now[p] && (first.address == "" || p.String() < first.String()) {
			first = p
		}
	}
	return first
}

func (w Want) pair() pair {
	return pair{addressType: w.AddressType, address: canonical(w.Endpoint.Addresses[0]), ports: portsOf(w.Ports)}
}
