// Package controller is our side: a manager that does for Services what Kubernetes' EndpointSlice controller does, with
// the same queue, delays, workers and client limits, so that the planner is the difference.
package controller

import (
	"context"
	"time"

	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// What kube-controller-manager and its EndpointSlice controller have by default.
const (
	queriesPerSecond, burst  = 20, 30 // --kube-api-qps, --kube-api-burst
	firstBackOff, maxBackOff = time.Second, 1000 * time.Second
	retryRate, retryBurst    = 10, 100     // of the queue as a whole
	otherDelay               = time.Second // at least, from a slice's change to a sync; Nodes have it only here
	managedBy                = "slicewright.example.com"
)

type queue = workqueue.TypedRateLimitingInterface[ctrl.Request]

// reconciler publishes the slices of Services.
type reconciler struct {
	client.Client
	packing slicer.Packing
	waiting Waiting
	index   *index
	written *tracker
	writes  slicer.Writes
}

// Options are what kube-controller-manager has flags for, the packing, and what is waited for.
type Options struct {
	Packing slicer.Packing
	Waiting Waiting
	Batch   time.Duration // from a Pod's change to a sync: --endpointslice-updates-batch-period
	Workers int           // Services that are planned at a time: --concurrent-service-endpoint-syncs
}

// Run lets the controller work until the context ends.
func Run(ctx context.Context, config *rest.Config, o Options) error {
	config.QPS, config.Burst, config.ContentType = queriesPerSecond, burst, "application/vnd.kubernetes.protobuf"
	config.DisableCompression = true // as kube-controller-manager, which is near its API server
	m, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
		Client:  client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: new(o.Waiting == WithClient)}},
	})
	if err != nil {
		return err
	}
	r := newReconciler(m.GetClient(), o)
	err = ctrl.NewControllerManagedBy(m).Named("services").
		WatchesRawSource(&events{cache: m.GetCache(), index: r.index, written: r.written, batch: o.Batch}).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: o.Workers, UsePriorityQueue: new(bool),
			RateLimiter: workqueue.NewTypedMaxOfRateLimiter[ctrl.Request](
				workqueue.NewTypedItemExponentialFailureRateLimiter[ctrl.Request](firstBackOff, maxBackOff),
				&workqueue.TypedBucketRateLimiter[ctrl.Request]{Limiter: rate.NewLimiter(retryRate, retryBurst)},
			),
		}).
		Complete(r)
	if err != nil {
		return err
	}
	return m.Start(ctx)
}

func newReconciler(c client.Client, o Options) *reconciler {
	return &reconciler{Client: c, packing: o.Packing, waiting: o.Waiting, index: newIndex(), written: newTracker()}
}

// Reconcile plans the slices of one Service and writes what differs. A Node that is missing needs no retry: when it comes, its event
// enqueues the Services with Pods on it.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	svc, pods, existing := r.index.read(request.NamespacedName)
	if svc == nil {
		return ctrl.Result{}, nil // its slices go with it, because it owns them
	}
	existing, err := r.current(ctx, request.NamespacedName, existing)
	if err != nil {
		return ctrl.Result{}, err // tried again after 1 s, then 2 s, ...
	}
	plan, err := r.plan(svc, pods, existing)
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.apply(ctx, request.NamespacedName, plan)
}

// plan is the difference between the two sides.
func (r *reconciler) plan(svc *corev1.Service, pods []*corev1.Pod, existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
	zones := r.index.zones()
	return services.Plan(svc, pods, func(name string) *corev1.Node { return zones.nodes[name] }, existing, services.Options{
		ManagedBy: managedBy,
		Hints:     hints.Options{Weights: zones.weights},
		Slices:    slicer.Options{Packing: r.packing},
	})
}

// apply takes the plan's steps, and notes what it wrote.
func (r *reconciler) apply(ctx context.Context, key client.ObjectKey, plan slicer.Plan) error {
	write := func(slice *discoveryv1.EndpointSlice, err error) error {
		return r.written.note(slice, slice.ResourceVersion, err)
	}
	w := slicer.Writer{
		Create: func(slice *discoveryv1.EndpointSlice) error { return write(slice, r.Create(ctx, slice)) },
		Update: func(slice *discoveryv1.EndpointSlice) error { return write(slice, r.Update(ctx, slice)) },
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return r.written.note(old, deleted, r.Delete(ctx, old, client.Preconditions(*p)))
		},
	}
	if r.waiting == WithWrites {
		w = r.writes.Through(setOf(key), w)
	}
	return plan.Apply(w)
}
