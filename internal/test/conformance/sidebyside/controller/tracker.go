package controller

import (
	"sync"

	discoveryv1 "k8s.io/api/discovery/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// deleted stands for the version of a slice that the controller deleted. endpoint.CompareVersions takes every number as
// newer than what is none, which this is, and so is the empty version of a slice that is not noted.
const deleted = "deleted"

// tracker notes what the controller wrote, as the tracker of Kubernetes' controller does. A plan needs none: from a late
// cache it writes what the API server refuses, and nothing is lost. With it both sides wait for their caches in the same way
// and are not woken by their own writes, so that the planner is the difference.
type tracker struct {
	sync.Mutex
	versions map[client.ObjectKey]map[string]string // by Service and by the slice's name
}

func newTracker() *tracker { return &tracker{versions: map[client.ObjectKey]map[string]string{}} }

// note notes the version that a slice got from a write, and returns the write's error.
func (t *tracker) note(slice *discoveryv1.EndpointSlice, version string, err error) error {
	if err != nil {
		return err
	}
	t.Lock()
	defer t.Unlock()
	key := serviceOf(slice)
	if t.versions[key] == nil {
		t.versions[key] = map[string]string{}
	}
	t.versions[key][slice.Name] = version
	return nil
}

// late reports whether the cache lacks something that was written.
func (t *tracker) late(key client.ObjectKey, cached []*discoveryv1.EndpointSlice) bool {
	t.Lock()
	defer t.Unlock()
	shown := make(map[string]string, len(cached))
	for _, slice := range cached {
		shown[slice.Name] = slice.ResourceVersion
	}
	for name, version := range t.versions[key] {
		have, there := shown[name]
		if there == (version == deleted) || there && endpoint.CompareVersions(have, version) < 0 {
			return true
		}
	}
	return false
}

// foreign returns the Services of a slice that somebody else wrote or deleted: none if the slice is as the controller wrote it or
// older, and two if it has come to another Service.
func (t *tracker) foreign(was, is *discoveryv1.EndpointSlice) map[client.ObjectKey]bool {
	t.Lock()
	defer t.Unlock()
	services := map[client.ObjectKey]bool{}
	newer := func(s *discoveryv1.EndpointSlice) bool {
		return endpoint.CompareVersions(s.ResourceVersion, t.versions[serviceOf(s)][s.Name]) > 0
	}
	if was != nil && (is == nil || serviceOf(was) != serviceOf(is)) && !t.forget(was) && newer(was) {
		services[serviceOf(was)] = true
	}
	if is != nil && newer(is) {
		services[serviceOf(is)] = true
	}
	return services
}

// forget takes note that a slice is gone, and reports whether the controller deleted it. The caller has the lock.
func (t *tracker) forget(o client.Object) (own bool) {
	noted := t.versions[serviceOf(o)]
	version, known := noted[o.GetName()]
	if known && endpoint.CompareVersions(o.GetResourceVersion(), version) >= 0 {
		delete(noted, o.GetName())
	}
	return version == deleted
}

func serviceOf(slice client.Object) client.ObjectKey {
	return client.ObjectKey{Namespace: slice.GetNamespace(), Name: slice.GetLabels()[discoveryv1.LabelServiceName]}
}
