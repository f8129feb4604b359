package main

import (
	"context"
	"slices"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	xds "github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
)

// locationOf reads where a client is from its node in the bootstrap file: the zone from
// locality.zone and, for hints that name nodes, the node from locality.sub_zone.
func locationOf(node *core.Node) routing.Location {
	return routing.Location{Zone: node.GetLocality().GetZone(), NodeName: node.GetLocality().GetSubZone()}
}

// join notes where the client of a stream is, at the stream's first request. Each place costs an
// assignment for each service port, so that their number has a limit.
func (m *mesh) join(stream int64, node *core.Node) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.streams[stream] != nil {
		return nil
	}
	at := locationOf(node)
	p := m.places[at]
	if p == nil {
		if len(m.places) >= m.maxPlaces {
			return status.Errorf(codes.ResourceExhausted, "clients at %d places are served already, "+
				"and none is in zone %q with sub_zone %q: -max-places allows more", len(m.places), at.Zone, at.NodeName)
		}
		p = &place{at: at, assignments: cache.NewLinearCache(resource.EndpointType)}
		view := m.index.View()
		var ports []dedup.ServicePortName
		for service := range view.Services() {
			ports = slices.AppendSeq(ports, view.Ports(service))
		}
		p.update(view, slices.DeleteFunc(ports, func(port dedup.ServicePortName) bool { return !served(port) }), nil)
		m.places[at] = p
	}
	p.streams++
	m.streams[stream] = p
	return nil
}

// leave forgets a stream, and its place with the last stream from there.
func (m *mesh) leave(stream int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.streams[stream]; p != nil {
		delete(m.streams, stream)
		if p.streams--; p.streams == 0 {
			delete(m.places, p.at)
		}
	}
}

func (m *mesh) callbacks() xds.Callbacks {
	return xds.CallbackFuncs{
		StreamRequestFunc: func(id int64, r *cache.Request) error { return m.join(id, r.GetNode()) },
		StreamClosedFunc:  func(id int64, _ *core.Node) { m.leave(id) },
	}
}

// CreateWatch answers a request. There are no resources of other types, such as secrets: an error
// would end the whole stream.
func (m *mesh) CreateWatch(r *cache.Request, sub cache.Subscription, to chan cache.Response) (func(), error) {
	from := cache.NewLinearCache(r.GetTypeUrl())
	switch r.GetTypeUrl() {
	case resource.ListenerType:
		from = m.listeners
	case resource.ClusterType:
		from = m.clusters
	case resource.EndpointType:
		m.mu.Lock()
		if p := m.places[locationOf(r.GetNode())]; p != nil {
			from = p.assignments
		}
		m.mu.Unlock()
	}
	return from.CreateWatch(r, sub, to)
}

func (m *mesh) CreateDeltaWatch(*cache.DeltaRequest, cache.Subscription, chan cache.DeltaResponse) (func(), error) {
	return nil, status.Error(codes.Unimplemented,
		"the incremental protocol is not served: use GRPC, not DELTA_GRPC, as api_type")
}

func (m *mesh) Fetch(context.Context, *cache.Request) (cache.Response, error) {
	return nil, status.Error(codes.Unimplemented, "only streams are served")
}
