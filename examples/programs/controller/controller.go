package controller

import (
	"context"
	"errors"
	"log"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/informers"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// options are for a cluster in which Kubernetes' own controller does not run.
var options = services.Options{ManagedBy: "slices.example.com", ReplacesKubernetes: true}

// SyncNamed brings the slices of a Service up to date, also after it is deleted, with hints by the
// CPUs of Nodes. After an error, call it again: after 100 ms if it is publish.ErrRetry, else with
// back-off.
func SyncNamed(
	ctx context.Context, s *publish.Syncer, caches informers.SharedInformerFactory, name types.NamespacedName,
) error {
	err := syncNamed(ctx, s, caches, name)
	if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
		log.Print(err) // only a change of the Service or the options helps
		return nil
	}
	return err
}

func syncNamed(
	ctx context.Context, s *publish.Syncer, caches informers.SharedInformerFactory, name types.NamespacedName,
) error {
	core := caches.Core().V1()
	svc, err := core.Services().Lister().Services(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		s.Forget(options.Key(name)) // the garbage collector deletes the slices
		return nil
	}
	if err != nil {
		return err
	}
	pods, err := core.Pods().Lister().Pods(name.Namespace).List(services.Selector(svc))
	if err != nil {
		return err
	}
	in, err := services.FromPods(svc, pods, core.Nodes().Lister(), options)
	if err != nil {
		return err
	}
	nodes, err := core.Nodes().Lister().List(labels.Everything())
	if err != nil {
		return err
	}
	in.Hints.Weights = hints.NodeWeights(nodes, nil)
	plan, err := s.Sync(ctx, in)
	if len(plan.Warnings) > 0 {
		log.Print(plan.Warnings)
	}
	return err
}
