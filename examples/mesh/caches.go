package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	discoveryservice "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	xds "github.com/envoyproxy/go-control-plane/pkg/server/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/hints"
)

// caches hold what clients ask for (cache.Cache): listeners and clusters for all of them, and endpoints for each place
// that has clients. In a linear cache each resource has a version of its own, so that clients get those that changed.
type caches struct {
	listeners, clusters *cache.LinearCache

	mu      sync.Mutex
	view    dedup.View
	places  map[hints.Location]*place
	streams map[stream]hints.Location
}

// place is a location with clients.
type place struct {
	endpoints *cache.LinearCache
	members   map[string][]member // by the name of the service port, as cached
	streams   int
}

// stream identifies one; the two variants of the protocol count on their own.
type stream struct {
	delta bool
	id    int64
}

func newCaches() *caches {
	return &caches{
		listeners: cache.NewLinearCache(resource.ListenerType),
		clusters:  cache.NewLinearCache(resource.ClusterType),
		places:    map[hints.Location]*place{},
		streams:   map[stream]hints.Location{},
	}
}

// apply brings the caches up to date. Clients learn of endpoints before the clusters that have them, and of these before
// the listeners that lead there.
func (c *caches) apply(deltas []dedup.Delta, view dedup.View) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.view = view
	listeners, clusters := map[string]types.Resource{}, map[string]types.Resource{}
	var changed []dedup.ServicePort
	var gone []string
	for _, d := range deltas {
		switch name := nameOf(d.Port); {
		case !served(d.Port):
		case d.Gone:
			gone = append(gone, name)
		case d.Appeared:
			listeners[name], clusters[name] = listenerOf(name), clusterOf(name)
			fallthrough
		default:
			changed = append(changed, d.Port)
		}
	}
	var errs []error
	for at, p := range c.places {
		errs = append(errs, p.update(view, at, changed, gone))
	}
	errs = append(errs, c.clusters.UpdateResources(clusters, gone), c.listeners.UpdateResources(listeners, gone))
	return errors.Join(errs...)
}

// update brings one place up to date. What looks from here as it did before is not sent: a hint for another zone, say.
func (p *place) update(view dedup.View, at hints.Location, changed []dedup.ServicePort, gone []string) error {
	update := map[string]types.Resource{}
	for _, port := range changed {
		name, next := nameOf(port), membersOf(slices.Collect(view.Endpoints(port)), at)
		if old, known := p.members[name]; !known || !slices.Equal(old, next) {
			update[name], p.members[name] = assignmentOf(name, next), next
		}
	}
	for _, name := range gone {
		delete(p.members, name)
	}
	return p.endpoints.UpdateResources(update, gone)
}

// join notes where the client of a stream is, at the stream's first request, and fills the caches of a new place.
func (c *caches) join(s stream, node *core.Node) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.streams[s]; known {
		return nil
	}
	at := locationOf(node)
	p := c.places[at]
	if p == nil {
		p = &place{endpoints: cache.NewLinearCache(resource.EndpointType), members: map[string][]member{}}
		var all []dedup.ServicePort
		for service := range c.view.Services() {
			all = slices.AppendSeq(all, c.view.Ports(service))
		}
		all = slices.DeleteFunc(all, func(port dedup.ServicePort) bool { return !served(port) })
		if err := p.update(c.view, at, all, nil); err != nil {
			return err
		}
		c.places[at] = p
	}
	p.streams++
	c.streams[s] = at
	return nil
}

// leave forgets a stream, and its place with the last stream from there.
func (c *caches) leave(s stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known := c.streams[s]
	if !known {
		return
	}
	delete(c.streams, s)
	p := c.places[at]
	if p.streams--; p.streams == 0 {
		delete(c.places, at)
	}
}

// callbacks return what must be told to the caches about streams.
func (c *caches) callbacks() xds.Callbacks {
	return xds.CallbackFuncs{
		StreamRequestFunc: func(id int64, r *discoveryservice.DiscoveryRequest) error {
			return c.join(stream{id: id}, r.GetNode())
		},
		StreamDeltaRequestFunc: func(id int64, r *discoveryservice.DeltaDiscoveryRequest) error {
			return c.join(stream{id: id, delta: true}, r.GetNode())
		},
		StreamClosedFunc:      func(id int64, _ *core.Node) { c.leave(stream{id: id}) },
		DeltaStreamClosedFunc: func(id int64, _ *core.Node) { c.leave(stream{id: id, delta: true}) },
	}
}

// of returns the cache that has resources of a type for a client.
func (c *caches) of(typeURL string, node *core.Node) (*cache.LinearCache, error) {
	switch typeURL {
	case resource.ListenerType:
		return c.listeners, nil
	case resource.ClusterType:
		return c.clusters, nil
	case resource.EndpointType:
		c.mu.Lock()
		defer c.mu.Unlock()
		if p := c.places[locationOf(node)]; p != nil {
			return p.endpoints, nil
		}
		return nil, errors.New("the client's locality differs from that in the first request of the stream")
	}
	return nil, fmt.Errorf("there are no resources of type %s", typeURL)
}

func (c *caches) CreateWatch(r *cache.Request, sub cache.Subscription, to chan cache.Response) (func(), error) {
	linear, err := c.of(r.GetTypeUrl(), r.GetNode())
	if err != nil {
		return nil, err
	}
	return linear.CreateWatch(r, sub, to)
}

func (c *caches) CreateDeltaWatch(r *cache.DeltaRequest, sub cache.Subscription, to chan cache.DeltaResponse) (func(), error) {
	linear, err := c.of(r.GetTypeUrl(), r.GetNode())
	if err != nil {
		return nil, err
	}
	return linear.CreateDeltaWatch(r, sub, to)
}

func (c *caches) Fetch(context.Context, *cache.Request) (cache.Response, error) {
	return nil, errors.New("only streams are served")
}

// served reports whether clients can reach a service port: gRPC and HTTP need TCP. A Service's own delta has no protocol.
func served(port dedup.ServicePort) bool { return port.Protocol == corev1.ProtocolTCP }

// locationOf reads where a client is from its node in the bootstrap file: the zone from locality.zone and, for hints that
// name nodes, the node from locality.sub_zone.
func locationOf(node *core.Node) hints.Location {
	return hints.Location{Zone: node.GetLocality().GetZone(), NodeName: node.GetLocality().GetSubZone()}
}
