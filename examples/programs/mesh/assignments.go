package main

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"google.golang.org/protobuf/types/known/anypb"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// snapshot is what clients get about endpoints at one moment, by the name of the service port. It
// never changes, so that all work on it is done without a lock around it.
type snapshot struct {
	number uint64
	ports  map[string]*servicePort
}

// servicePort is one service port at one moment.
type servicePort struct {
	port         dedup.ServicePort
	endpoints    []dedup.Endpoint
	zones, nodes map[string]bool // zones and nodes that hints name

	mu    sync.Mutex
	built map[routing.Location]*assignment
}

func newServicePort(endpoints []dedup.Endpoint, port dedup.ServicePort) *servicePort {
	p := &servicePort{port: port, endpoints: endpoints, zones: map[string]bool{}, nodes: map[string]bool{},
		built: map[routing.Location]*assignment{}}
	for _, e := range p.endpoints {
		for _, z := range e.ForZones {
			p.zones[z.Name] = true
		}
		for _, n := range e.ForNodes {
			p.nodes[n.Name] = true
		}
	}
	return p
}

// assignment is what clients get for a service port at all places from which it looks the same. It
// is built once, for the first of them that asks.
type assignment struct {
	build    func()
	resource *anypb.Any
	version  string // differs when the content does, also after a restart
}

// at returns what clients at a place get.
func (p *servicePort) at(place routing.Location) *assignment {
	place = p.seenFrom(place)
	p.mu.Lock()
	a := p.built[place]
	if a == nil {
		a = &assignment{}
		a.build = sync.OnceFunc(func() {
			a.resource = packed(assignmentOf(nameOf(p.port), membersOf(p.endpoints, place)))
			digest := sha256.Sum256(a.resource.GetValue())
			a.version = hex.EncodeToString(digest[:8])
		})
		p.built[place] = a
	}
	p.mu.Unlock()
	a.build()
	return a
}

// seenFrom leaves out of a place what makes no difference: a zone or node that no hint names is as
// good as none. A client may say that it is anywhere; it costs no assignment of its own.
func (p *servicePort) seenFrom(place routing.Location) routing.Location {
	if !p.zones[place.Zone] {
		place.Zone = ""
	}
	if !p.nodes[place.NodeName] {
		place.NodeName = ""
	}
	return place
}
