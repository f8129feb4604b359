package main

import (
	"maps"
	"slices"

	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
)

// noResources answers requests for types of which there is nothing, such as routes, secrets and types to come. A client
// that gets an answer without resources, or one that removes those it named, need not wait for them, and the rest
// of its stream goes on; an error would end all of it.
type noResources struct{}

// CreateWatch answers a stream's first request for the type, and nothing after that.
func (noResources) CreateWatch(r *cache.Request, _ cache.Subscription, to chan cache.Response) (func(), error) {
	if r.GetVersionInfo() == "" && r.GetResponseNonce() == "" {
		to <- wholeResponse(r, &answer{})
	}
	return func() {}, nil
}

// CreateDeltaWatch answers for each name once.
func (noResources) CreateDeltaWatch(r *cache.DeltaRequest, sub cache.Subscription, to chan cache.DeltaResponse) (func(), error) {
	a := &answer{known: map[string]string{}}
	maps.Copy(a.known, sub.ReturnedResources())
	for _, name := range slices.Sorted(maps.Keys(sub.SubscribedResources())) {
		if version, known := a.known[name]; !known || version != "" {
			a.removed, a.known[name] = append(a.removed, name), ""
		}
	}
	if len(a.removed) > 0 || r.GetResponseNonce() == "" {
		to <- deltaResponse(r, a)
	}
	return func() {}, nil
}
