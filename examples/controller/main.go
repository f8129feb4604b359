// Command controller publishes EndpointSlices for Services on a second network: with the addresses that Pods have there.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/slicewright/slicewright/hints"
)

func main() {
	r, o := &reconciler{}, manager.Options{LeaderElectionReleaseOnCancel: true}
	flag.UintVar(&r.shards, "shards", 1, "number of shards that namespaces are divided into, by hash")
	flag.UintVar(&r.shard, "shard", 0, "the shard of this replica, from 0")
	flag.BoolVar(&o.LeaderElection, "leader-elect", true, "let only one replica of each shard write")
	flag.StringVar(&o.LeaderElectionNamespace, "leader-elect-namespace", "default", "namespace of the Lease")
	flag.StringVar(&o.Metrics.BindAddress, "metrics-bind-address", ":8080", "where metrics are served; 0 for nowhere")
	flag.IntVar(&o.Controller.MaxConcurrentReconciles, "workers", 4, "Services that are planned at a time")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	m, err := newManager(ctrl.GetConfigOrDie(), r, o)
	if err == nil {
		err = m.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		log.Fatal(err)
	}
}

// newManager returns a manager, not started, that runs the reconciler.
func newManager(config *rest.Config, r *reconciler, o manager.Options) (manager.Manager, error) {
	if r.shard >= r.shards {
		return nil, fmt.Errorf("there is no shard %d of %d: they are counted from 0", r.shard, r.shards)
	}
	o.LeaderElectionID = fmt.Sprintf("network-slices-%d-of-%d", r.shard, r.shards)
	o.Cache.DefaultTransform = cache.TransformStripManagedFields()
	m, err := manager.New(config, o)
	if err != nil {
		return nil, err
	}
	r.Client, r.events = m.GetClient(), m.GetEventRecorder("network-slices")
	return m, ctrl.NewControllerManagedBy(m).For(&corev1.Service{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(r.affected)).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(r.affected), builder.WithPredicates(nodeChanges)).
		Watches(&discoveryv1.EndpointSlice{}, handler.EnqueueRequestsFromMapFunc(r.affected)).
		Complete(r)
}

// nodeChanges leaves out most writes of Nodes: what changes zones or their weights counts.
var nodeChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
	zone, weights := corev1.LabelTopologyZone, func(node client.Object) hints.Weights {
		return hints.NodeWeights([]*corev1.Node{node.(*corev1.Node)}, hints.NodeOptions{})
	}
	return e.ObjectOld.GetLabels()[zone] != e.ObjectNew.GetLabels()[zone] ||
		!equality.Semantic.DeepEqual(weights(e.ObjectOld), weights(e.ObjectNew))
}}

// affected returns the Services to plan again when another object changes, of which it is given the old and the new.
func (r *reconciler) affected(ctx context.Context, o client.Object) (requests []ctrl.Request) {
	var list corev1.ServiceList
	if err := r.List(ctx, &list, client.InNamespace(o.GetNamespace()), client.UnsafeDisableDeepCopy); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "list Services")
	}
	for i := range list.Items {
		svc, yes := &list.Items[i], true
		switch o.(type) {
		case *corev1.Pod:
			yes = svc.Annotations[network] != "" && labels.SelectorFromSet(svc.Spec.Selector).Matches(labels.Set(o.GetLabels()))
		case *corev1.Node:
			yes = svc.Annotations[network] != ""
		case *discoveryv1.EndpointSlice:
			yes = o.GetLabels()[serviceLabel] == svc.Name
		}
		if yes {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(svc)})
		}
	}
	return requests
}
