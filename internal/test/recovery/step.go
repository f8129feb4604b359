package recovery

import (
	"fmt"
	"math/rand/v2"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// step is one event of a history. Every step is possible at any time, so that a history stays one
// if steps are left out.
type step struct {
	name string
	n    int // chooses among Pods, slices, events or faults
}

func (s step) String() string { return fmt.Sprintf("%s=%d", s.name, s.n) }

// event is what can happen.
type event struct {
	name   string
	weight int // how often it is drawn
	do     func(*play, int)
}

// events lists what can happen. Between two syncs the cache shows some more events.
var events = []event{
	{"sync", 14, func(p *play, n int) { p.server.show(n % 4); p.call() }},
	{"moving-sync", 2, func(p *play, n int) {
		p.server.moves = true
		p.server.show(n % 3)
		p.call()
		p.server.moves = false
	}},
	{"pod", 5, func(p *play, n int) { p.world.pods[n%maxPods] = !p.world.pods[n%maxPods] }},
	{"ready", 2, func(p *play, n int) { p.world.ready[n%maxPods] = !p.world.ready[n%maxPods] }},
	{"port", 2, func(p *play, _ int) { p.world.port = 1 - p.world.port }},
	{"node", 1, func(p *play, _ int) { p.world.lost = !p.world.lost }},
	{"relist", 1, func(p *play, _ int) { p.server.shown = len(p.server.log) - 1 }},
	{"lose-answer", 2, arm(losesAnswer)},
	{"lose-request", 2, arm(losesRequest)},
	{"come-late", 2, arm(comesLate)},
	{"fail", 1, arm(fails)},
	{"cut-off", 2, arm(cutsOff)},
	{"kill", 1, func(p *play, n int) { p.killed = true; arm(cutsOff)(p, n) }},
	{"land", 2, func(p *play, _ int) { p.server.land(true) }},
	{"restart", 1, func(p *play, n int) { p.restart(n%2 == 0) }},
	{"other-deletes", 2, other(func(p *play, s *discoveryv1.EndpointSlice) { _ = p.server.sim.Delete(s.Name, nil) })},
	{"other-updates", 1, other(func(p *play, s *discoveryv1.EndpointSlice) {
		s.Annotations = map[string]string{"other": s.ResourceVersion}
		_, _ = p.server.sim.Update(s)
	})},
	{"other-unlabels", 1, other(func(p *play, s *discoveryv1.EndpointSlice) {
		for name := range p.program.Selector {
			delete(s.Labels, name)
		}
		_, _ = p.server.sim.Update(s)
	})},
	{"other-takes-name", 1, func(p *play, n int) {
		if len(p.server.gone) > 0 {
			s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
			s.Namespace, s.Name = Namespace, p.server.gone[n%len(p.server.gone)]
			_, _ = p.server.sim.Create(s)
			p.server.record()
		}
	}},
}

// arm lets a fault befall a write, after n others.
func arm(f fault) func(*play, int) {
	return func(p *play, n int) {
		for range n % 3 {
			p.server.faults = append(p.server.faults, passes)
		}
		p.server.faults = append(p.server.faults, f)
	}
}

// other is what another client does to a slice.
func other(do func(*play, *discoveryv1.EndpointSlice)) func(*play, int) {
	return func(p *play, n int) {
		if list := p.server.sim.List(); len(list) > 0 {
			do(p, list[n%len(list)])
			p.server.record()
		}
	}
}

// hides are the events after which a name may be hidden: a slice has it that the selector does not
// find.
var hides = []string{"other-unlabels", "other-takes-name"}

const steps = 14 // of a history

// drawHistory draws a history.
func drawHistory(r *rand.Rand, mild bool) (h history) {
	h.known, h.hides = r.IntN(3) > 0, r.IntN(3) == 0 && !mild
	total := 0
	for _, e := range events {
		total += e.weight
	}
	for len(h.steps) < steps {
		at := r.IntN(total)
		i := slices.IndexFunc(events, func(e event) bool { at -= e.weight; return at < 0 })
		if e := events[i]; h.hides || !slices.Contains(hides, e.name) {
			h.steps = append(h.steps, step{e.name, r.IntN(12)})
		}
	}
	return h
}

// history is what happens to a program.
type history struct {
	known bool // the cache knows its version
	hides bool // names may be hidden
	steps []step
}
