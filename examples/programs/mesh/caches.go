package main

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	xds "github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints/routing"
)

// caches hold what clients ask for (cache.Cache): listeners and clusters, which are the same for
// all of them, and endpoints, which depend on where a client is. Each resource has a version of its
// own, so that clients get those that changed.
type caches struct {
	listeners, clusters *cache.LinearCache
	endpoints           *endpointCache

	mu        sync.Mutex
	maxPlaces int
	places    map[routing.Location]int // the number of streams from each
	streams   map[int64]routing.Location
}

func newCaches(maxPlaces int) *caches {
	return &caches{
		listeners: cache.NewLinearCache(resource.ListenerType),
		clusters:  cache.NewLinearCache(resource.ClusterType),
		endpoints: newEndpointCache(),
		maxPlaces: maxPlaces,
		places:    map[routing.Location]int{},
		streams:   map[int64]routing.Location{},
	}
}

// apply brings the caches up to date. Clients learn of endpoints before the clusters that have
// them, and of these before the listeners that lead there. One goroutine calls it.
func (c *caches) apply(deltas []dedup.Delta, view dedup.View) error {
	listeners, clusters := map[string]types.Resource{}, map[string]types.Resource{}
	before := c.endpoints.now
	next := &snapshot{number: before.number + 1, ports: maps.Clone(before.ports)}
	var gone []string
	for _, d := range deltas {
		switch name := nameOf(d.Port); {
		case !served(d.Port):
		case d.Gone:
			gone = append(gone, name)
			delete(next.ports, name)
		case d.Appeared:
			listeners[name], clusters[name] = listenerOf(name), clusterOf(name)
			fallthrough
		default:
			// the view itself would keep all that it shows
			next.ports[name] = newServicePort(slices.Collect(view.Endpoints(d.Port)), d.Port)
		}
	}
	c.endpoints.publish(next)
	return errors.Join(c.clusters.UpdateResources(clusters, gone), c.listeners.UpdateResources(listeners, gone))
}

// join notes where the client of a stream is, at the stream's first request. A place may cost an
// assignment of each service port, so that their number has a limit.
func (c *caches) join(s int64, node *core.Node) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.streams[s]; known {
		return nil
	}
	at := locationOf(node)
	if c.places[at] == 0 && len(c.places) >= c.maxPlaces {
		return status.Errorf(codes.ResourceExhausted,
			"clients in %d places are served already, and none is in zone %q with sub_zone %q: "+
				"-max-places allows more; leave sub_zone out of the clients' bootstrap file where no slice has hints "+
				"for nodes",
			len(c.places), at.Zone, at.NodeName)
	}
	c.places[at]++
	c.streams[s] = at
	return nil
}

// leave forgets a stream, and its place with the last stream from there.
func (c *caches) leave(s int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known := c.streams[s]
	if !known {
		return
	}
	delete(c.streams, s)
	if c.places[at]--; c.places[at] == 0 {
		delete(c.places, at)
	}
}

// callbacks return what the caches must know about streams.
func (c *caches) callbacks() xds.Callbacks {
	return xds.CallbackFuncs{
		StreamRequestFunc: func(id int64, r *discoveryservice.DiscoveryRequest) error {
			return c.join(id, r.GetNode())
		},
		StreamDeltaRequestFunc: func(int64, *discoveryservice.DeltaDiscoveryRequest) error { return errIncremental },
		StreamClosedFunc:       func(id int64, _ *core.Node) { c.leave(id) },
	}
}

type watchable interface {
	CreateWatch(r *cache.Request, sub cache.Subscription, to chan cache.Response) (func(), error)
}

// of returns what answers requests for resources of a type. Of other types, such as secrets, there
// is nothing: an error would end the whole stream.
func (c *caches) of(typeURL string) watchable {
	switch typeURL {
	case resource.ListenerType:
		return c.listeners
	case resource.ClusterType:
		return c.clusters
	case resource.EndpointType:
		return c.endpoints
	}
	return cache.NewLinearCache(typeURL)
}

func (c *caches) CreateWatch(r *cache.Request, sub cache.Subscription, to chan cache.Response) (func(), error) {
	return c.of(r.GetTypeUrl()).CreateWatch(r, sub, to)
}

var errIncremental = status.Error(codes.Unimplemented,
	"the incremental protocol is not served: use GRPC, not DELTA_GRPC, as api_type")

func (c *caches) CreateDeltaWatch(*cache.DeltaRequest, cache.Subscription, chan cache.DeltaResponse) (func(), error) {
	return nil, errIncremental
}

func (c *caches) Fetch(context.Context, *cache.Request) (cache.Response, error) {
	return nil, errors.New("only streams are served")
}

// served reports whether clients can reach a service port: gRPC and HTTP need TCP. A Service's own
// delta has no protocol.
func served(port dedup.ServicePort) bool { return port.Protocol == corev1.ProtocolTCP }

// locationOf reads where a client is from its node in the bootstrap file: the zone from
// locality.zone and, for hints that name nodes, the node from locality.sub_zone.
func locationOf(node *core.Node) routing.Location {
	return routing.Location{Zone: node.GetLocality().GetZone(), NodeName: node.GetLocality().GetSubZone()}
}
