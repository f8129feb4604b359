package publish

import (
	"context"
	"errors"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// Client reads and writes slices. ClientGo is for client-go; examples/programs/reconciler has one
// for controller-runtime. Any field may be replaced, for example Cached by a lookup in an index of
// your own.
type Client struct {
	// Cached lists slices from a cache that may be late.
	Cached func(ctx context.Context, namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error)
	// CachedVersion returns the resource version that the cache has reached, or "" if it is not
	// known. It is called before Cached. It may be nil: the Syncer then learns from single slices
	// what the cache shows, and waits longer after a write whose answer was lost.
	CachedVersion func() string
	// List reads slices from the API server, without a resourceVersion in the request.
	List func(ctx context.Context, namespace string, selector labels.Selector) (*discoveryv1.EndpointSliceList, error)
	// Get reads one slice from the API server.
	Get func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error)
	// Create and Update write a slice, and return what the API server answered. They do not change
	// the argument.
	Create, Update func(ctx context.Context, slice *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error)
	// Delete deletes a slice if the preconditions hold.
	Delete func(ctx context.Context, slice *discoveryv1.EndpointSlice, p *metav1.Preconditions) error
}

// SliceClient is what client-go's typed client of EndpointSlices has.
type SliceClient interface {
	Get(context.Context, string, metav1.GetOptions) (*discoveryv1.EndpointSlice, error)
	List(context.Context, metav1.ListOptions) (*discoveryv1.EndpointSliceList, error)
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

// check returns an error for each function that is missing.
func (c *Client) check() error {
	var errs []error
	path := field.NewPath("client")
	for _, f := range []struct {
		missing        bool
		name, instruct string
	}{
		{c.Cached == nil, "cached", "give a function that lists slices from a cache, " +
			"or from the API server if there is no cache"},
		{c.List == nil, "list", "give a function that lists slices from the API server"},
		{c.Get == nil, "get", "give a function that gets one slice from the API server"},
		{c.Create == nil, "create", "give a function that creates a slice"},
		{c.Update == nil, "update", "give a function that updates a slice"},
		{c.Delete == nil, "delete", "give a function that deletes a slice"},
	} {
		if f.missing {
			errs = append(errs, field.Required(path.Child(f.name), f.instruct))
		}
	}
	return errors.Join(errs...)
}

// read returns the slices of the cache, and the version that the cache had reached before they were
// read.
func (c *Client) read(ctx context.Context, namespace string, selector labels.Selector) (
	cached []*discoveryv1.EndpointSlice, version string, err error,
) {
	if c.CachedVersion != nil {
		version = c.CachedVersion()
	}
	if version != "" && endpoint.VersionNumber(version) == "" {
		return nil, "", fmt.Errorf("publish: Client.CachedVersion returned %q: a resource version is a decimal "+
			`number; return "" if it is not known`, version)
	}
	cached, err = c.Cached(ctx, namespace, selector)
	return cached, version, err
}
