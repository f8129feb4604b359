package conformance

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestWriter is the code of the test kit's package comment, with a reconciler of Slicewright under
// test.
func TestWriter(t *testing.T) {
	o := slicertest.Options{ManagedBy: "slices.example.com", Max: 3}
	slicertest.Run(t, o, func(api *slicertest.API) slicertest.Sync {
		client := kubernetes.NewForConfigOrDie(&rest.Config{Host: "http://kit", Transport: api, QPS: -1})
		r := NewReconciler(client, 3)
		return func(ctx context.Context, s slicertest.State) error {
			return r.Reconcile(ctx, s.Service, s.Pods, s.Own)
		}
	})
}

// planning writes what package services plans. It knows no Nodes.
type planning struct {
	client kubernetes.Interface
	max    int
}

func NewReconciler(client kubernetes.Interface, most int) *planning { return &planning{client, most} }

func (r *planning) Reconcile(ctx context.Context, svc *corev1.Service, pods []*corev1.Pod,
	own []*discoveryv1.EndpointSlice) error {
	plan, err := services.Plan(svc, pods, nil, own, services.Options{
		ManagedBy: "slices.example.com", Slices: slicer.Options{MaxEndpointsPerSlice: r.max},
	})
	if err != nil {
		return err
	}
	return publish.Apply(plan, publish.ClientWriter(ctx, r.client.DiscoveryV1().EndpointSlices(svc.Namespace)))
}
