package publish

import (
	"context"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// ClientSlices returns the Slices for client-go, or for any client with the same methods:
//
//	cache := factory.Discovery().V1().EndpointSlices() // before factory.Start
//	upTo := cache.Informer().GetStore().LastStoreSyncResourceVersion // nil before client-go 0.36
//	publish.ClientSlices(clientset.DiscoveryV1().EndpointSlices, cache.Lister().EndpointSlices, upTo)
//
// If client or lister is nil, the functions of Slices that need it are nil, and the first call of a
// [Syncer] with these Slices returns an error.
func ClientSlices[Client interface {
	Get(ctx context.Context, name string, o metav1.GetOptions) (*discoveryv1.EndpointSlice, error)
	List(ctx context.Context, o metav1.ListOptions) (*discoveryv1.EndpointSliceList, error)
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(ctx context.Context, name string, o metav1.DeleteOptions) error
}, Lister interface {
	List(labels.Selector) ([]*discoveryv1.EndpointSlice, error)
}](client func(namespace string) Client, lister func(namespace string) Lister, upTo func() string) Slices {
	s := Slices{UpTo: upTo}
	if lister != nil {
		s.Cached = func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
			return lister(namespace).List(selector)
		}
	}
	if client == nil {
		return s
	}
	s.List = func(
		ctx context.Context, namespace string, selector labels.Selector,
	) (*discoveryv1.EndpointSliceList, error) {
		return client(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
	}
	s.Get = func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error) {
		return client(namespace).Get(ctx, name, metav1.GetOptions{})
	}
	s.Writer = func(ctx context.Context, namespace string) Writer { return ClientWriter(ctx, client(namespace)) }
	return s
}
