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
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
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
	live    client.Reader // the API server, past the cache
	packing slicer.Packing
	waiting Waiting
	index   *index
	written *tracker
	slices  *publish.Syncer // for WithWrites
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
	r := newReconciler(m.GetClient(), m.GetAPIReader(), o)
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

func newReconciler(c client.Client, live client.Reader, o Options) *reconciler {
	r := &reconciler{Client: c, live: live, packing: o.Packing, waiting: o.Waiting, index: newIndex(), written: newTracker()}
	r.slices = publish.New(publish.Slices{
		Cached: func(namespace string, selector labels.Selector) ([]*discoveryv1.EndpointSlice, error) {
			name, _ := selector.RequiresExactMatch(discoveryv1.LabelServiceName)
			_, _, existing := r.index.read(client.ObjectKey{Namespace: namespace, Name: name})
			return existing, nil
		},
		List: func(ctx context.Context, namespace string, selector labels.Selector) (*discoveryv1.EndpointSliceList, error) {
			list := &discoveryv1.EndpointSliceList{}
			return list, r.live.List(ctx, list, client.InNamespace(namespace), client.MatchingLabelsSelector{Selector: selector})
		},
		Get: func(ctx context.Context, namespace, name string) (*discoveryv1.EndpointSlice, error) {
			s := &discoveryv1.EndpointSlice{}
			return s, r.live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, s)
		},
		Writer: func(ctx context.Context, _ string) publish.Writer { return r.writer(ctx) },
	}, services.Options{})
	return r
}

// Reconcile plans the slices of one Service and writes what differs. A Node that is missing needs no retry: when it comes, its event
// enqueues the Services with Pods on it.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	svc, pods, existing := r.index.read(request.NamespacedName)
	if svc == nil {
		return ctrl.Result{}, nil // its slices go with it, because it owns them
	}
	if r.waiting == WithWrites {
		set := slicer.Set{Namespace: svc.Namespace, Name: svc.Name, ManagedBy: managedBy}
		_, err := r.slices.Sync(ctx, set, func(existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
			return r.plan(svc, pods, existing)
		})
		return ctrl.Result{}, err // tried again after 1 s, then 2 s, ...
	}
	existing, err := r.current(ctx, request.NamespacedName, existing)
	if err != nil {
		return ctrl.Result{}, err
	}
	plan, err := r.plan(svc, pods, existing)
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, publish.Apply(plan, r.writer(ctx))
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

// writer takes a plan's steps, and notes what it wrote.
func (r *reconciler) writer(ctx context.Context) publish.Writer {
	write := func(slice *discoveryv1.EndpointSlice, err error) error {
		return r.written.note(slice, slice.ResourceVersion, err)
	}
	return publish.Writer{
		Create: func(slice *discoveryv1.EndpointSlice) error { return write(slice, r.Create(ctx, slice)) },
		Update: func(slice *discoveryv1.EndpointSlice) error { return write(slice, r.Update(ctx, slice)) },
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return r.written.note(old, deleted, r.Delete(ctx, old, client.Preconditions(*p)))
		},
	}
}
