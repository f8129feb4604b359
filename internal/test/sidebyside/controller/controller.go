// Package controller is our side: a manager that does for Services what Kubernetes' EndpointSlice controller does, with
// the same queue, delays, workers and client limits, so that the planner is the difference.
package controller

import (
	"context"
	"errors"
	"time"

	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// What kube-controller-manager and its EndpointSlice controller have by default.
const (
	queriesPerSecond, burst  = 20, 30 // --kube-api-qps, --kube-api-burst
	workers                  = 5      // --concurrent-service-endpoint-syncs
	firstBackOff, maxBackOff = time.Second, 1000 * time.Second
	retryRate, retryBurst    = 10, 100     // of the queue as a whole
	sliceDelay               = time.Second // from a slice's change to a sync
	managedBy                = "slicewright.example.com"
)

type queue = workqueue.TypedRateLimitingInterface[ctrl.Request]

// reconciler publishes the slices of Services.
type reconciler struct {
	client.Client
	packing slicer.Packing
	written tracker
}

// Run lets the controller work until the context ends. batch is the time from a Pod's change to a sync.
func Run(ctx context.Context, config *rest.Config, packing slicer.Packing, batch time.Duration) error {
	config.QPS, config.Burst, config.ContentType = queriesPerSecond, burst, "application/vnd.kubernetes.protobuf"
	m, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	})
	if err != nil {
		return err
	}
	r := &reconciler{Client: m.GetClient(), packing: packing, written: tracker{versions: map[client.ObjectKey]map[string]string{}}}
	err = ctrl.NewControllerManagedBy(m).For(&corev1.Service{}).
		Watches(&corev1.Pod{}, delayed(batch, r.affected)).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(r.affected), builder.WithPredicates(nodeChanges)).
		Watches(&discoveryv1.EndpointSlice{}, r.written.handler()).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: workers, UsePriorityQueue: new(bool),
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

// affected returns the Services that select a Pod as it was or is; for a Node all of them.
func (r *reconciler) affected(ctx context.Context, o client.Object) (requests []ctrl.Request) {
	var list corev1.ServiceList
	_ = r.List(ctx, &list, client.UnsafeDisableDeepCopy) // from memory
	_, node := o.(*corev1.Node)
	for _, svc := range pointers(list.Items) {
		selected := svc.Namespace == o.GetNamespace() && labels.SelectorFromSet(svc.Spec.Selector).Matches(labels.Set(o.GetLabels()))
		if len(svc.Spec.Selector) > 0 && (node || selected) {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(svc)})
		}
	}
	return requests
}

// nodeChanges leaves out most writes of Nodes: what changes zones or their weights counts.
var nodeChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
	was, is, o := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node), hints.NodeOptions{}
	return was.Labels[corev1.LabelTopologyZone] != is.Labels[corev1.LabelTopologyZone] || !equality.Semantic.DeepEqual(
		hints.NodeWeights([]*corev1.Node{was}, o), hints.NodeWeights([]*corev1.Node{is}, o))
}}

// delayed enqueues what an object concerns, after a time.
func delayed(by time.Duration, concerned handler.MapFunc) handler.Funcs {
	add := func(ctx context.Context, q queue, objects ...client.Object) {
		for _, o := range objects {
			for _, request := range concerned(ctx, o) {
				q.AddAfter(request, by)
			}
		}
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) { add(ctx, q, e.Object) },
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) { add(ctx, q, e.ObjectNew, e.ObjectOld) },
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { add(ctx, q, e.Object) },
	}
}

// Reconcile plans the slices of one Service and writes what differs.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, request.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pods, existing, nodes := corev1.PodList{}, discoveryv1.EndpointSliceList{}, corev1.NodeList{}
	namespace, shared := client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy
	err := errors.Join(
		r.List(ctx, &pods, namespace, shared, client.MatchingLabels(svc.Spec.Selector)),
		r.List(ctx, &existing, namespace, shared, client.MatchingLabels{discoveryv1.LabelServiceName: svc.Name}),
		r.List(ctx, &nodes, shared),
	)
	if err != nil {
		return ctrl.Result{}, err
	}
	if r.written.late(request.NamespacedName, existing.Items) {
		return ctrl.Result{}, errors.New("the cache is late") // tried again after 1 s, then 2 s, ...
	}
	plan, err := r.plan(&svc, pointers(pods.Items), pointers(nodes.Items), pointers(existing.Items))
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.apply(ctx, plan)
}

// plan is the difference between the two sides.
func (r *reconciler) plan(svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node, existing []*discoveryv1.EndpointSlice) (slicer.Plan, error) {
	byName := make(map[string]*corev1.Node, len(nodes))
	for _, node := range nodes {
		byName[node.Name] = node
	}
	plan, err := service.Plan(svc, pods, func(name string) *corev1.Node { return byName[name] }, existing, service.Options{
		ManagedBy: managedBy,
		Slices:    slicer.Options{Packing: r.packing, Hints: hints.Options{Weights: hints.NodeWeights(nodes, hints.NodeOptions{})}},
	})
	return plan, err
}

// apply takes the plan's steps, and notes what it wrote.
func (r *reconciler) apply(ctx context.Context, plan slicer.Plan) error {
	write := func(slice *discoveryv1.EndpointSlice, err error) error {
		return r.written.note(slice, slice.ResourceVersion, err)
	}
	err := plan.Apply(slicer.Writer{
		Create: func(slice *discoveryv1.EndpointSlice) error { return write(slice, r.Create(ctx, slice)) },
		Update: func(slice *discoveryv1.EndpointSlice) error { return write(slice, r.Update(ctx, slice)) },
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return r.written.note(old, deleted, r.Delete(ctx, old, client.Preconditions(*p)))
		},
	})
	return err
}

func pointers[V any](values []V) []*V {
	list := make([]*V, len(values))
	for i := range values {
		list[i] = &values[i]
	}
	return list
}
