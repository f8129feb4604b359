package sim

import (
	"context"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Client is what programs call to read and write the slices of a namespace, as client-go's
// EndpointSliceInterface. The server of package slicertest has one for tests:
//
//	server.(interface{ Slices(namespace string) sim.Client })
type Client interface {
	Get(context.Context, string, metav1.GetOptions) (*discoveryv1.EndpointSlice, error)
	List(context.Context, metav1.ListOptions) (*discoveryv1.EndpointSliceList, error)
	Create(context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions) (*discoveryv1.EndpointSlice, error)
	Update(context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions) (*discoveryv1.EndpointSlice, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}
