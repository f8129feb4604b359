package controller

import (
	"context"
	"errors"
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// NewSyncer must be called before factory.Start. Keep the Syncer while the program runs.
func NewSyncer(client kubernetes.Interface, factory informers.SharedInformerFactory) *publish.Syncer {
	cache := factory.Discovery().V1().EndpointSlices()
	version := cache.Informer().GetStore().LastStoreSyncResourceVersion // before client-go 0.36, pass nil instead
	slices := publish.ClientSlices(client.DiscoveryV1().EndpointSlices, cache.Lister().EndpointSlices, version)
	return publish.New(slices, services.Options{ManagedBy: "slices.example.com"})
}

// Sync updates a Service's slices. Call it when svc, pods, nodes or slices change, and on errors.
func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
	plan, err := s.Pods(ctx, svc, pods, services.NodesByName(nodes))
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // also after an error: what is not published, and why; in production, log each entry once
	}
	if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
		log.Print(err) // a mistake in the Service or the options: only a change of them helps
		return nil
	}
	return err // publish.ErrWait: call again soon; any other error: call again with back-off
}
