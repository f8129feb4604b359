// Package reconciler publishes the Pods of Services with controller-runtime. What calls Reconcile
// is in ../multus/network: the watches, with the predicates that leave out events without effect.
package reconciler

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// options are for a cluster in which Kubernetes' own controller does not run.
var options = services.Options{ManagedBy: "slices.example.com", ReplacesKubernetes: true}

// Reconciler publishes Services with the Syncer, and reads all else with the client, which has a
// cache.
type Reconciler struct {
	client.Client
	Syncer *publish.Syncer
}

// Reconcile brings the slices of one Service up to date.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	pods := corev1.PodList{}
	nodes := corev1.NodeList{}
	if err := r.Get(ctx, request.NamespacedName, svc); apierrors.IsNotFound(err) {
		r.Syncer.Forget(options.Key(request.NamespacedName)) // the garbage collector deletes the slices
		return ctrl.Result{}, nil
	} else if err != nil {
		return ctrl.Result{}, err
	}
	err := r.List(ctx, &pods, client.InNamespace(svc.Namespace),
		client.MatchingLabelsSelector{Selector: services.Selector(svc)})
	if err := errors.Join(err, r.List(ctx, &nodes)); err != nil {
		return ctrl.Result{}, err
	}
	in, err := services.FromPods(svc, slicer.Pointers(pods.Items),
		services.NodesByName(slicer.Pointers(nodes.Items)), options)
	if err != nil {
		return resultOf(err)
	}
	plan, err := r.Syncer.Sync(ctx, in)
	if len(plan.Warnings) > 0 {
		log.FromContext(ctx).Info("not everything is published", "warnings", plan.Warnings.String())
	}
	return resultOf(err)
}

// resultOf tells the three kinds of error apart.
func resultOf(err error) (ctrl.Result, error) {
	switch {
	case errors.Is(err, publish.ErrRetry):
		return ctrl.Result{RequeueAfter: 100 * time.Millisecond}, nil
	case errors.As(err, new(*field.Error)):
		return ctrl.Result{}, reconcile.TerminalError(err) // only a change of the Service helps
	}
	return ctrl.Result{}, err
}
