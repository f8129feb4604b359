// Command controller publishes EndpointSlices for Services on a second network: with the addresses that Pods have there.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

func main() {
	r, o, err := parseFlags(flag.CommandLine, os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	ctrl.SetLogger(zap.New())
	config, err := ctrl.GetConfig()
	if err == nil { // without a cluster this is all that there is to say
		_, err = discovery.NewDiscoveryClientForConfigOrDie(config).ServerVersion()
	}
	if err == nil {
		err = run(ctrl.SetupSignalHandler(), config, r, o)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// parseFlags reads the command line.
func parseFlags(flags *flag.FlagSet, args []string) (*reconciler, manager.Options, error) {
	r, o := &reconciler{}, manager.Options{LeaderElectionReleaseOnCancel: true}
	flags.IntVar(&r.max, "max-endpoints-per-slice", 100, "endpoints of a slice, 1 to 1000")
	flags.UintVar(&r.shards, "shards", 1, "number of shards that namespaces are divided into, by hash")
	flags.UintVar(&r.shard, "shard", 0, "the shard of this replica, from 0")
	flags.BoolVar(&o.LeaderElection, "leader-elect", true, "let only one replica of each shard write")
	flags.StringVar(&o.LeaderElectionNamespace, "leader-elect-namespace", "default", "namespace of the Lease")
	flags.StringVar(&o.Metrics.BindAddress, "metrics-bind-address", "127.0.0.1:8080", "where metrics are served, by default on this machine or Pod only; 0 for nowhere")
	flags.StringVar(&o.HealthProbeBindAddress, "health-probe-bind-address", ":8081", "where /healthz and /readyz are served; 0 for nowhere")
	if err := flags.Parse(args); err != nil {
		return nil, o, err
	}
	if flags.NArg() > 0 {
		return nil, o, fmt.Errorf("%q is no flag; -h lists them", flags.Arg(0))
	}
	return r, o, r.validate()
}

// validate says what is wrong with the flags' values.
func (r *reconciler) validate() error {
	switch {
	case r.max < 1 || r.max > 1000:
		return fmt.Errorf("--max-endpoints-per-slice=%d: want 1 to 1000, the most that the API server takes", r.max)
	case r.shard >= r.shards:
		return fmt.Errorf("there is no shard %d of %d: they are counted from 0", r.shard, r.shards)
	}
	return nil
}

// run lets the reconciler work until the context ends, or its lease is lost.
func run(ctx context.Context, config *rest.Config, r *reconciler, o manager.Options) error {
	o.LeaderElectionID = fmt.Sprintf("network-slices-%d-of-%d", r.shard, r.shards)
	m, err := manager.New(config, o)
	if err != nil {
		return err
	}
	for _, add := range []func(string, healthz.Checker) error{m.AddHealthzCheck, m.AddReadyzCheck} {
		if err := add("ping", healthz.Ping); err != nil { // a replica that waits for the lease is ready too
			return err
		}
	}
	r.Client, r.events = m.GetClient(), m.GetEventRecorder("network-slices")
	err = ctrl.NewControllerManagedBy(m).For(&corev1.Service{}).Owns(&discoveryv1.EndpointSlice{}, builder.WithPredicates(sliceChanges)).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(r.affected), builder.WithPredicates(podChanges)).
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
	pod, isPod := o.(*corev1.Pod)
	for _, svc := range slicer.Pointers(list.Items) {
		if svc.Annotations[network] != "" && (!isPod || service.Selects(svc, pod, watched)) {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(svc)})
		}
	}
	return requests
}

// watched are the options of all Services: any change of a Pod's network status may be one of its addresses.
var watched = service.Options{ManagedBy: managedBy, Addresses: func(pod *corev1.Pod) ([]string, error) {
	return []string{pod.Annotations[status]}, nil
}}

// These leave out most writes: what a plan can show counts.
var (
	podChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return service.PodMatters(e.ObjectOld.(*corev1.Pod), e.ObjectNew.(*corev1.Pod), watched)
	}}
	nodeChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		was, is := e.ObjectOld.(*corev1.Node), e.ObjectNew.(*corev1.Node)
		return service.NodeMatters(was, is) || hints.NodesMatter(was, is, hints.NodeOptions{})
	}}
	sliceChanges = predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return service.SliceMatters(e.ObjectOld.(*discoveryv1.EndpointSlice), e.ObjectNew.(*discoveryv1.EndpointSlice), watched)
	}}
)
