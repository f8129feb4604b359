// Package controller publishes the Pods of Services with client-go. publish.go is the program of
// the README, as it is printed there.
package controller

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	corev1informers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// NewSyncer must be called before factory.Start. Keep the Syncer while the program runs.
func NewSyncer(client kubernetes.Interface, factory informers.SharedInformerFactory) (*publish.Syncer, error) {
	cache := factory.Discovery().V1().EndpointSlices().Informer().GetIndexer()
	return publish.New(publish.ClientGo(client.DiscoveryV1().EndpointSlices, cache))
}

// Sync updates the slices of a Service. Call it when the Service, its Pods, Nodes or slices change,
// after factory.WaitForCacheSync.
func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, core corev1informers.Interface) error {
	pods, err := core.Pods().Lister().Pods(svc.Namespace).List(services.Selector(svc))
	if err != nil {
		return err
	}
	// Where Kubernetes' own controller runs, set NameLabel, not ReplacesKubernetes.
	o := services.Options{ManagedBy: "slices.example.com", ReplacesKubernetes: true}
	in, err := services.FromPods(svc, pods, core.Nodes().Lister(), o)
	if err != nil {
		return err
	}
	plan, err := s.Sync(ctx, in)
	if len(plan.Warnings) > 0 {
		log.Print(plan.Warnings) // what is not published although it should be, and why
	}
	return err
}
