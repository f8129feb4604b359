package reconciler

import (
	"context"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
)

// Client is how a publish.Syncer reads and writes with controller-runtime: with the manager's
// client, which has a cache, and with its APIReader. CachedVersion is nil, because the client does
// not show the version of its cache.
func Client(c client.Client, live client.Reader) publish.Client {
	list := func(ctx context.Context, from client.Reader, namespace string, selector labels.Selector,
		o ...client.ListOption) (*discoveryv1.EndpointSliceList, error) {
		found := &discoveryv1.EndpointSliceList{}
		o = append(o, client.InNamespace(namespace), client.MatchingLabelsSelector{Selector: selector})
		return found, from.List(ctx, found, o...)
	}
	return publish.Client{
		Cached: func(ctx context.Context, namespace string,
			selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
			found, err := list(ctx, c, namespace, selector, client.UnsafeDisableDeepCopy) // the Syncer only reads
			return slicer.Pointers(found.Items), err
		},
		List: func(ctx context.Context, namespace string,
			selector labels.Selector) (*discoveryv1.EndpointSliceList, error) {
			return list(ctx, live, namespace, selector)
		},
		Get: func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error) {
			found := &discoveryv1.EndpointSlice{}
			return found, live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, found)
		},
		Create: func(ctx context.Context, slice *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
			written := slice.DeepCopy() // the client stores the answer in its argument
			return written, c.Create(ctx, written)
		},
		Update: func(ctx context.Context, slice *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
			written := slice.DeepCopy()
			return written, c.Update(ctx, written)
		},
		Delete: func(ctx context.Context, slice *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return c.Delete(ctx, slice, client.Preconditions(*p))
		},
	}
}
