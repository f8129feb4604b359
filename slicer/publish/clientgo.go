package publish

import (
	"context"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// ClientGo returns the Client for client-go of any version. Call it before the informer starts:
//
//	cache := factory.Discovery().V1().EndpointSlices().Informer().GetIndexer()
//	publish.ClientGo(client.DiscoveryV1().EndpointSlices, cache)
//
// The cache must have the index "namespace", as every informer of a factory has. CachedVersion is
// set if the cache has the method LastStoreSyncResourceVersion, new in client-go 0.36; a type that
// wraps an Indexer must pass the method on.
func ClientGo[S SliceClient](client func(namespace string) S, cache interface {
	ByIndex(index, value string) ([]any, error)
}) Client {
	var c Client
	if cache != nil {
		c.Cached = func(_ context.Context, namespace string, selector labels.Selector) (
			[]*discoveryv1.EndpointSlice, error,
		) {
			objects, err := cache.ByIndex("namespace", namespace)
			if err != nil {
				return nil, err
			}
			return selected(objects, selector)
		}
	}
	if v, ok := cache.(interface{ LastStoreSyncResourceVersion() string }); ok {
		c.CachedVersion = v.LastStoreSyncResourceVersion
	}
	if client == nil {
		return c
	}
	c.List = func(
		ctx context.Context, namespace string, selector labels.Selector,
	) (*discoveryv1.EndpointSliceList, error) {
		return client(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector.String()})
	}
	c.Get = func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error) {
		return client(namespace).Get(ctx, name, metav1.GetOptions{})
	}
	c.Create = func(ctx context.Context, s *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
		return client(s.Namespace).Create(ctx, s, metav1.CreateOptions{})
	}
	c.Update = func(ctx context.Context, s *discoveryv1.EndpointSlice) (*discoveryv1.EndpointSlice, error) {
		return client(s.Namespace).Update(ctx, s, metav1.UpdateOptions{})
	}
	c.Delete = func(ctx context.Context, s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
		return client(s.Namespace).Delete(ctx, s.Name, metav1.DeleteOptions{Preconditions: p})
	}
	return c
}

// selected returns the selected slices among the objects of an index.
func selected(objects []any, selector labels.Selector) (list []*discoveryv1.EndpointSlice, err error) {
	for _, object := range objects {
		s, ok := object.(*discoveryv1.EndpointSlice)
		if !ok {
			return nil, fmt.Errorf("publish: the cache of EndpointSlices has a %T", object)
		}
		if selector.Matches(labels.Set(s.Labels)) {
			list = append(list, s)
		}
	}
	return list, nil
}
