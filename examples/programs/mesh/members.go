package main

import (
	"net/netip"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
)

// member is an endpoint as clients at one place should treat it.
type member struct {
	address  netip.AddrPort
	zone     string
	priority uint32
	health   core.HealthStatus
}

// membersOf ranks the endpoints of a service port for clients at a place. First come the endpoints
// that kube-proxy would use there, by hints for its node or zone; then, in case these fail, those
// it would use if it knew less of where it is. The rest, which gets no traffic, has a priority of
// its own: elsewhere it would count against the health of the others, and a rolling update would
// send clients to other zones. If no endpoint gets traffic there are no members, because Envoy
// sends requests to unhealthy endpoints if there are no others.
func membersOf(endpoints []dedup.Endpoint, at routing.Location) []member {
	members := make([]member, 0, len(endpoints))
	placed := make(map[netip.AddrPort]bool, len(endpoints))
	priority := uint32(0)
	put := func(list []dedup.Endpoint, used bool) {
		before := len(members)
		for _, e := range list {
			health := core.HealthStatus_UNHEALTHY
			if used { // also if it terminates: clients send nothing to endpoints that drain
				health = core.HealthStatus_HEALTHY
			} else if e.Conditions.Serving && e.Conditions.Terminating {
				health = core.HealthStatus_DRAINING
			}
			if address := e.AddrPort(); !placed[address] {
				placed[address] = true
				members = append(members, member{address, e.Zone, priority, health})
			}
		}
		if len(members) > before { // clients refuse gaps between priorities
			priority++
		}
	}
	for _, reader := range []routing.Location{at, {Zone: at.Zone}, {}} {
		put(routing.Route(endpoints, reader, routing.Policy{}), true)
	}
	if len(members) > 0 {
		put(endpoints, false)
	}
	return members
}
