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
		svc.Namespace, svc.Name = request.Namespace, request.Name
		_, err := r.Syncer.Remove(ctx, svc)
		return resultOf(err)
	} else if err != nil {
		return ctrl.Result{}, err
	}
	if len(svc.Spec.Selector) > 0 { // an empty selector would list all Pods of the namespace
		if err := r.List(ctx, &pods, client.InNamespace(svc.Namespace),
			client.MatchingLabels(svc.Spec.Selector)); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.List(ctx, &nodes); err != nil {
		return ctrl.Result{}, err
	}
	node := services.NodesByName(slicer.Pointers(nodes.Items))
	plan, err := r.Syncer.Pods(ctx, svc, slicer.Pointers(pods.Items), node)
	if w := plan.Warnings(); len(w) > 0 {
		log.FromContext(ctx).Info("not everything is published", "warnings", w.String())
	}
	return resultOf(err)
}

// resultOf tells the three kinds of error apart. An event of a slice or a Node may end a wait
// sooner.
func resultOf(err error) (ctrl.Result, error) {
	switch {
	case errors.Is(err, publish.ErrWait):
		return ctrl.Result{RequeueAfter: time.Second}, nil
	case errors.As(err, new(*field.Error)):
		return ctrl.Result{}, reconcile.TerminalError(err) // only a change of the Service helps
	}
	return ctrl.Result{}, err
}
