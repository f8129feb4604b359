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

// Slices is how a publish.Syncer reads and writes with controller-runtime: with the manager's
// client, which has a cache, and with its APIReader. UpTo is nil, because the client does not show
// the version of its cache.
func Slices(c client.Client, live client.Reader) publish.Slices {
	return publish.Slices{
		Cached: func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
			var list discoveryv1.EndpointSliceList
			err := c.List(context.Background(), &list, client.InNamespace(namespace),
				// the Syncer only reads
				client.MatchingLabelsSelector{Selector: selector}, client.UnsafeDisableDeepCopy)
			return slicer.Pointers(list.Items), err
		},
		List: func(ctx context.Context, namespace string,
			selector labels.Selector) (*discoveryv1.EndpointSliceList, error) {
			list := &discoveryv1.EndpointSliceList{}
			return list, live.List(ctx, list, client.InNamespace(namespace),
				client.MatchingLabelsSelector{Selector: selector})
		},
		Get: func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error) {
			s := &discoveryv1.EndpointSlice{}
			return s, live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, s)
		},
		Writer: func(ctx context.Context, _ string) publish.Writer {
			return publish.Writer{
				Create: func(s *discoveryv1.EndpointSlice) error { return c.Create(ctx, s) },
				Update: func(s *discoveryv1.EndpointSlice) error { return c.Update(ctx, s) },
				Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
					return c.Delete(ctx, s, client.Preconditions(*p))
				},
			}
		},
	}
}
