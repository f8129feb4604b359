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

// NewSyncer returns a Syncer. Call it before factory.Start, and keep it while the program runs.
func NewSyncer(client kubernetes.Interface, factory informers.SharedInformerFactory) *publish.Syncer {
	cache := factory.Discovery().V1().EndpointSlices()
	version := cache.Informer().GetStore().LastStoreSyncResourceVersion // use nil before client-go 0.36
	slices := publish.ClientSlices(client.DiscoveryV1().EndpointSlices, cache.Lister().EndpointSlices, version)
	return publish.New(slices, services.Options{ManagedBy: "slices.example.com"})
}

// Sync brings the slices of a Service up to date. Call it for each event, and again after an error.
func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
	plan, err := s.Pods(ctx, svc, pods, services.NodesByName(nodes))
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // what is not published, and why; in production, log each entry once
	}
	if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
		log.Print(err) // the Service is wrong, and only a change of it helps
		return nil
	}
	return err // publish.ErrWait: call again soon; any other error: call again with back-off
}
