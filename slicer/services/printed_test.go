package services_test

import (
	"context"
	"io"
	"log"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/internal/test/printed"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestPrinted runs the program of MIGRATING.md with the writers' kit and through histories of
// faults.
func TestPrinted(t *testing.T) {
	log.SetOutput(io.Discard)
	o := slicertest.Options{
		ManagedBy: services.KubernetesManager,
		Also:      []string{"Zone", "NodeName", "TargetRef", "HeadlessLabel", "Owner"},
	}
	printed.Run(t, o, func(access publish.Slices) printed.Sync {
		s := publish.New(access, services.Options{})
		return func(ctx context.Context, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
			return reconcile(ctx, s, svc, pods, nodes)
		}
	})
}

// reconcile brings the slices of a Service up to date that the Reconciler of k8s.io/endpointslice
// wrote before.
func reconcile(ctx context.Context, s *publish.Syncer, svc *corev1.Service, pods []*corev1.Pod,
	nodes []*corev1.Node) error {
	o := services.Options{ManagedBy: services.KubernetesManager} // the name that the Reconciler was given
	o.Hints.Weights = hints.NodeWeights(nodes, nil)
	plan, err := s.With(o).Pods(ctx, svc, pods, services.NodesByName(nodes))
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // what is not published, and why
	}
	return err // publish.ErrWait where the cache was out of date: call again soon
}
