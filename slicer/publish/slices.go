package publish

import (
	"context"
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Slices are the caller's functions that read and write EndpointSlices. All are required except
// UpTo. [ClientSlices] returns them for client-go, and the comment of [New] shows them for
// client-go and controller-runtime.
type Slices struct {
	// Cached returns the slices of a namespace that the selector selects, from a cache that may be
	// late, such as that of an informer. The Syncer does not change them.
	Cached func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error)
	// UpTo returns the resource version that this cache has reached, or "" if that version is not
	// known. UpTo is called before Cached. Give LastStoreSyncResourceVersion of a store of
	// client-go 0.36 or later. If UpTo is nil, the version is not known. In earlier releases of
	// client-go the version of a store can go backwards, so leave UpTo nil.
	UpTo func() string
	// List returns the same slices as Cached, but reads them from the API server itself. Leave
	// resourceVersion empty in the request: with "0" the API server may answer from its cache.
	List func(ctx context.Context, namespace string, selector labels.Selector) (*discoveryv1.EndpointSliceList, error)
	// Get returns one slice from the API server itself, or an error for which
	// apierrors.IsNotFound is true.
	Get func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error)
	// Writer returns the functions that write slices of a namespace.
	Writer func(ctx context.Context, namespace string) Writer
}

// check returns an error for each function that is missing.
func (s *Slices) check() error {
	var errs []error
	path := field.NewPath("slices")
	for _, f := range []struct {
		missing        bool
		name, instruct string
	}{
		{s.Cached == nil, "cached", "give a function that returns slices from a cache, " +
			"or from the API server if there is no cache"},
		{s.List == nil, "list", "give a function that lists slices from the API server"},
		{s.Get == nil, "get", "give a function that gets one slice from the API server"},
		{s.Writer == nil, "writer", "give a function that returns a Writer, such as that of ClientWriter"},
	} {
		if f.missing {
			errs = append(errs, field.Required(path.Child(f.name), f.instruct))
		}
	}
	return errors.Join(errs...)
}

// read returns the slices of the cache, and the version that the cache had reached before they were
// read.
func (s *Slices) read(namespace string, selector labels.Selector) (
	cached []*discoveryv1.EndpointSlice, upTo string, err error,
) {
	if s.UpTo != nil {
		upTo = s.UpTo()
	}
	if upTo != "" && endpoint.VersionNumber(upTo) == "" {
		return nil, "", field.Invalid(field.NewPath("slices", "upTo"), upTo,
			`a resource version is a decimal number: return "" if it is not known`)
	}
	cached, err = s.Cached(namespace, selector)
	return cached, upTo, err
}
