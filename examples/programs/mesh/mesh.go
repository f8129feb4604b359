package main

import (
	"log"
	"slices"
	"sync"

	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/routing"
)

// mesh takes slices from a watch (it is the store of a client-go reflector) and holds what clients
// get (it is a cache.Cache): listeners and clusters, which are the same for all clients, and for
// each place at which there are clients the load assignments as seen from there.
type mesh struct {
	listeners, clusters *cache.LinearCache
	listed              chan struct{} // closed after the first list
	ready               func()        // closes it

	mu        sync.Mutex
	index     *dedup.Index
	maxPlaces int
	places    map[routing.Location]*place
	streams   map[int64]*place
}

// newMesh returns a mesh for one family, because hints are decided for each, and a dual-stack Pod
// must not count twice.
func newMesh(maxPlaces int, family discoveryv1.AddressType) (*mesh, error) {
	index, err := dedup.NewIndex(dedup.Options{AddressTypes: []discoveryv1.AddressType{family}})
	listed := make(chan struct{})
	return &mesh{
		listeners: cache.NewLinearCache(resource.ListenerType), clusters: cache.NewLinearCache(resource.ClusterType),
		listed: listed, ready: sync.OnceFunc(func() { close(listed) }), index: index, maxPlaces: maxPlaces,
		places: map[routing.Location]*place{}, streams: map[int64]*place{},
	}, err
}

func (m *mesh) Add(object any) error { return m.Update(object) }

func (m *mesh) Update(object any) error {
	slice, _ := object.(*discoveryv1.EndpointSlice)
	return m.apply(func(index *dedup.Index) { index.Upsert(slice) })
}

func (m *mesh) Delete(object any) error {
	slice, _ := object.(*discoveryv1.EndpointSlice)
	return m.apply(func(index *dedup.Index) { index.Handle(slice, nil) })
}

// Replace takes a list as one change: also the list after a lost watch.
func (m *mesh) Replace(objects []any, _ string) error {
	list := make([]*discoveryv1.EndpointSlice, len(objects))
	for i := range objects {
		list[i], _ = objects[i].(*discoveryv1.EndpointSlice)
	}
	defer m.ready()
	return m.apply(func(index *dedup.Index) { index.Replace(list) })
}

func (m *mesh) Resync() error { return nil }

// apply brings the caches up to date after an event. Clients learn of endpoints before the clusters
// that have them, and of these before the listeners that lead there.
func (m *mesh) apply(event func(*dedup.Index)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	event(m.index)
	changes, warnings := m.index.Flush()
	if len(warnings) > 0 {
		log.Print(warnings) // what cannot be served
	}
	listeners := map[string]types.Resource{}
	clusters := map[string]types.Resource{}
	var changed []dedup.ServicePortName
	var gone []string
	for _, d := range changes.Ports {
		switch name := nameOf(d.Port); {
		case !served(d.Port):
			continue
		case d.Gone:
			gone = append(gone, name)
			continue
		case d.Appeared:
			listeners[name] = listenerOf(name)
			clusters[name] = clusterOf(name)
		}
		changed = append(changed, d.Port)
	}
	for _, p := range m.places {
		p.update(m.index.View(), changed, gone)
	}
	update(m.clusters, clusters, gone)
	update(m.listeners, listeners, gone)
	return nil
}

// place is the zone and node of some clients.
type place struct {
	at          routing.Location
	assignments *cache.LinearCache
	streams     int
}

// update replaces the assignments that look different from this place, so that no others are sent.
func (p *place) update(view dedup.View, changed []dedup.ServicePortName, gone []string) {
	before := p.assignments.GetResources()
	after := map[string]types.Resource{}
	for _, port := range changed {
		next := assignmentOf(nameOf(port), membersOf(slices.Collect(view.Endpoints(port)), p.at))
		if old := before[next.ClusterName]; old == nil || !proto.Equal(old, next) {
			after[next.ClusterName] = next
		}
	}
	update(p.assignments, after, gone)
}

// update changes a cache, and tells clients.
func update(c *cache.LinearCache, changed map[string]types.Resource, gone []string) {
	if len(changed) > 0 || len(gone) > 0 {
		if err := c.UpdateResources(changed, gone); err != nil {
			log.Print(err)
		}
	}
}

// served reports whether clients can reach a service port: gRPC and HTTP need TCP.
func served(port dedup.ServicePortName) bool { return port.Protocol == corev1.ProtocolTCP }
