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
	flag.IntVar(&r.max, "max-endpoints-per-slice", 100, "endpoints of a slice, at most 1000")
	flag.UintVar(&r.shards, "shards", 1, "number of shards that namespaces are divided into, by hash")
	flag.UintVar(&r.shard, "shard", 0, "the shard of this replica, from 0")
	flag.BoolVar(&o.LeaderElection, "leader-elect", true, "let only one replica of each shard write")
	flag.StringVar(&o.LeaderElectionNamespace, "leader-elect-namespace", "default", "namespace of the Lease")
	flag.StringVar(&o.Metrics.BindAddress, "metrics-bind-address", ":8080", "where metrics are served; 0 for nowhere")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(ctrl.SetupSignalHandler(), ctrl.GetConfigOrDie(), r, o); err != nil {
		log.Fatal(err)
	}
}

// run lets the reconciler work until the context ends, or its lease is lost.
func run(ctx context.Context, config *rest.Config, r *reconciler, o manager.Options) error {
	if r.shard >= r.shards {
		return fmt.Errorf("there is no shard %d of %d: they are counted from 0", r.shard, r.shards)
	}
	o.LeaderElectionID = fmt.Sprintf("network-slices-%d-of-%d", r.shard, r.shards)
	m, err := manager.New(config, o)
	if err != nil {
		return err
	}
	r.Client, r.events = m.GetClient(), m.GetEventRecorder("network-slices")
	err = ctrl.NewControllerManagedBy(m).For(&corev1.Service{}).Owns(&discoveryv1.EndpointSlice{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(r.affected)).
		Watches(&corev1.Node{}, handler.EnqueueRequestsFromMapFunc(r.affected), builder.WithPredicates(nodeChanges)).
		Complete(r)
	if err != nil {
		return err
	}
	return m.Start(ctx)
}

// affected returns the Services on networks that a Pod, as it was or is, belongs to; for a Node all of them.
func (r *reconciler) affected(ctx context.Context, o client.Object) (requests []ctrl.Request) {
	var list corev1.ServiceList
	_ = r.List(ctx, &list, client.InNamespace(o.GetNamespace()), client.UnsafeDisableDeepCopy) // from memory
	for _, svc := range pointers(list.Items) {
		selected := labels.SelectorFromSet(svc.Spec.Selector).Matches(labels.Set(o.GetLabels()))
		if _, node := o.(*corev1.Node); svc.Annotations[network] != "" && (node || selected) {
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
