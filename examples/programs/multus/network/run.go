// Package network publishes EndpointSlices for Services on a second network.
package network

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/slicewright/slicewright/examples/programs/reconciler"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// Controller publishes the slices of all Services on networks. Run it once.
type Controller struct {
	Max   int           // endpoints of a slice
	Batch time.Duration // from the change of a Pod to a sync

	client   client.Client
	events   events.EventRecorder
	slices   *publish.Syncer
	reported sync.Map // by Service: *reported
	zones    zones
}

// Parse reads the command line.
func Parse(flags *flag.FlagSet, args []string) (*Controller, manager.Options, error) {
	c, o := &Controller{}, manager.Options{LeaderElectionReleaseOnCancel: true}
	flags.IntVar(&c.Max, "max-endpoints-per-slice", 100, "endpoints of a slice, 1 to 1000")
	flags.DurationVar(&c.Batch, "batch", 500*time.Millisecond,
		"time from the change of a Pod to a sync: longer means fewer writes")
	flags.IntVar(&o.Controller.MaxConcurrentReconciles, "workers", 5, "how many Services are planned at a time")
	flags.BoolVar(&o.LeaderElection, "leader-elect", true, "let only one replica write")
	flags.StringVar(&o.LeaderElectionNamespace, "leader-elect-namespace", "default", "namespace of the Lease")
	flags.StringVar(&o.Metrics.BindAddress, "metrics-bind-address", "127.0.0.1:8080",
		"where metrics are served, by default on this machine or Pod only; 0 for nowhere")
	flags.StringVar(&o.HealthProbeBindAddress, "health-probe-bind-address", ":8081",
		"where /healthz and /readyz are served; 0 for nowhere")
	if err := flags.Parse(args); err != nil {
		return nil, o, err
	}
	switch {
	case flags.NArg() > 0:
		return nil, o, fmt.Errorf("%q is no flag; -h lists them", flags.Arg(0))
	case c.Max < 1 || c.Max > 1000:
		return nil, o, fmt.Errorf("--max-endpoints-per-slice=%d: want 1 to 1000, the most that the API server takes",
			c.Max)
	case c.Batch < 0 || o.Controller.MaxConcurrentReconciles < 1:
		return nil, o, fmt.Errorf("--batch=%v --workers=%d: want 0 or more, and at least 1", c.Batch,
			o.Controller.MaxConcurrentReconciles)
	}
	return c, o, nil
}

// Run lets the controller work until the context ends, or its lease is lost.
func (c *Controller) Run(ctx context.Context, config *rest.Config, o manager.Options) error {
	o.LeaderElectionID = "network-slices"
	m, err := manager.New(config, o)
	if err != nil {
		return err
	}
	for _, add := range []func(string, healthz.Checker) error{m.AddHealthzCheck, m.AddReadyzCheck} {
		if err := add("ping", healthz.Ping); err != nil { // a replica that waits for the lease is ready too
			return err
		}
	}
	c.client, c.events = m.GetClient(), m.GetEventRecorder("network-slices")
	if c.slices, err = publish.New(reconciler.Client(m.GetClient(), m.GetAPIReader())); err != nil {
		return err
	}
	err = errors.Join(index(ctx, m.GetFieldIndexer()), ctrl.NewControllerManagedBy(m).For(&corev1.Service{}).
		Owns(&discoveryv1.EndpointSlice{}, builder.WithPredicates(sliceChanges)).
		Watches(&corev1.Pod{}, delayed(c.Batch, c.ofPod), builder.WithPredicates(podChanges)).
		// they come and go together
		Watches(&corev1.Node{}, delayed(max(c.Batch, time.Second), c.ofNode), builder.WithPredicates(nodeChanges)).
		Complete(c))
	if err != nil {
		return err
	}
	return m.Start(ctx)
}

// Indexes of the cache: Pods by each of their labels, and Services on networks by one of their
// selector's. With them a sync finds its Pods, and an event of a Pod its Services, without a look
// at all of the namespace.
const byLabel, bySelector = "label", "selector"

func index(ctx context.Context, fields client.FieldIndexer) error {
	return errors.Join(
		fields.IndexField(ctx, &corev1.Pod{}, byLabel, func(o client.Object) []string { return pairs(o.GetLabels()) }),
		fields.IndexField(ctx, &corev1.Service{}, bySelector, func(o client.Object) []string {
			selector := pairs(o.(*corev1.Service).Spec.Selector)
			if o.GetAnnotations()[Annotation] == "" {
				return nil
			}
			return selector[:min(1, len(selector))]
		}),
	)
}

// pairs spells labels as name=value, in order.
func pairs(labels map[string]string) (list []string) {
	for name, value := range labels {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// ofPod returns the Services on networks that a Pod, as it was or is, belongs to.
func (c *Controller) ofPod(ctx context.Context, o client.Object) (requests []ctrl.Request) {
	for _, pair := range pairs(o.GetLabels()) {
		requests = append(requests, c.services(ctx, func(svc *corev1.Service) bool {
			return services.Selects(svc, o.(*corev1.Pod))
		},
			client.InNamespace(o.GetNamespace()), client.MatchingFields{bySelector: pair})...)
	}
	return requests
}

// ofNode returns all Services on networks, and lets the next sync read the Nodes again.
func (c *Controller) ofNode(ctx context.Context, _ client.Object) []ctrl.Request {
	c.zones.forget()
	return c.services(ctx, func(svc *corev1.Service) bool { return svc.Annotations[Annotation] != "" })
}

func (c *Controller) services(ctx context.Context, wanted func(*corev1.Service) bool,
	o ...client.ListOption) (requests []ctrl.Request) {
	var list corev1.ServiceList
	_ = c.client.List(ctx, &list, append(o, client.UnsafeDisableDeepCopy)...) // from memory
	for _, svc := range slicer.Pointers(list.Items) {
		if wanted(svc) {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(svc)})
		}
	}
	return requests
}

type queue = workqueue.TypedRateLimitingInterface[ctrl.Request]

// delayed enqueues the Services of an object, as it was and is, after a time, so that changes that
// come together cause one sync.
func delayed(by time.Duration, services handler.MapFunc) handler.Funcs {
	add := func(ctx context.Context, q queue, objects ...client.Object) {
		for _, o := range objects {
			for _, request := range services(ctx, o) {
				q.AddAfter(request, by)
			}
		}
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) { add(ctx, q, e.Object) },
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) { add(ctx, q, e.ObjectOld, e.ObjectNew) },
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { add(ctx, q, e.Object) },
	}
}

// watched are the options of all Services: any change of a Pod's network status may be one of its
// addresses.
var watched = services.Options{
	ManagedBy: ManagedBy, NameLabel: ServiceLabel,
	Addresses: func(pod *corev1.Pod) ([]string, error) { return []string{pod.Annotations[Status]}, nil },
}

// These leave out most writes: what a plan can show counts.
var (
	podChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return services.PodChanged(e.ObjectOld.(*corev1.Pod), e.ObjectNew.(*corev1.Pod), watched)
	}}
	nodeChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, is := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
		return services.NodeChanged(was, is) || !weights(was).Equal(weights(is))
	}}
	sliceChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return services.SliceChanged(e.ObjectOld.(*discoveryv1.EndpointSlice), e.ObjectNew.(*discoveryv1.EndpointSlice),
			watched)
	}}
)

// weights returns what one Node adds to the weights of zones.
func weights(node *corev1.Node) hints.Weights {
	return hints.NodeWeights([]*corev1.Node{node}, nil)
}
