// Package controller is a reference program: it publishes the Pods of Services, whole but for its queue. A test counts its lines.
package controller

import (
	"context"
	"errors"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// patience is after how many tries a sync reads the slices live: some 20 seconds with the default limits of a queue.
const patience = 12

// sync makes the slices of a Service what it publishes. One worker calls it, and again later if there is an error. told are the
// hint decisions that events have told, writes is one for all Services, and tries is the queue's NumRequeues.
func sync(ctx context.Context, client kubernetes.Interface, caches informers.SharedInformerFactory, tell events.EventRecorder, told map[string]hints.Decision, writes *slicer.Writes, tries int, namespace, name string) error {
	core, of, set := caches.Core().V1(), namespace+"/"+name+"/", slicer.Set{Namespace: namespace, Name: name}
	slices, api := caches.Discovery().V1().EndpointSlices(), client.DiscoveryV1().EndpointSlices(namespace)
	svc, err := core.Services().Lister().Services(namespace).Get(name)
	pods, errPods := core.Pods().Lister().Pods(namespace).List(labels.Everything()) // Plan knows which are the Service's
	nodes, errNodes := core.Nodes().Lister().List(labels.Everything())
	upTo := slices.Informer().GetStore().LastStoreSyncResourceVersion() // before the list
	existing, errSlices := slices.Lister().EndpointSlices(namespace).List(labels.Everything())
	if err := errors.Join(err, errPods, errNodes, errSlices); err != nil {
		maps.DeleteFunc(told, func(key string, _ hints.Decision) bool { return strings.HasPrefix(key, of) })
		writes.Forget(set)
		return utilerrors.FilterOut(err, apierrors.IsNotFound) // the slices of a Service that is gone go with their owner
	}
	if err := writes.Behind(set, existing, upTo); err != nil && tries < patience {
		return err
	} else if err != nil {
		live, err := api.List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		existing = slicer.Pointers(live.Items)
		writes.Listed(set, existing)
	}
	o := service.Options{ManagedBy: "slices.example.com", Slices: slicer.Options{Hints: hints.Options{Weights: hints.NodeWeights(nodes, hints.NodeOptions{})}}}
	plan, err := service.Plan(svc, pods, service.NodesByName(nodes), existing, o)
	if svc.Spec.Type == corev1.ServiceTypeExternalName {
		plan, err = service.PlanRemoval(svc, existing, o) // readers would find its slices by their label
	}
	if err != nil && !errors.Is(err, service.ErrNotManaged) { // without selector the plan is empty
		return err
	}
	for _, skip := range plan.Skips {
		tell.Eventf(svc, &skip.Object, corev1.EventTypeWarning, string(skip.Reason), "Publish", "%.1000s", skip)
	}
	for _, d := range plan.Hints {
		if key := of + string(d.AddressType); !d.Same(told[key]) {
			told[key] = d
			tell.Eventf(svc, nil, corev1.EventTypeNormal, "TopologyHints", "Decide", "%.1000s", d)
		}
	}
	return errors.Join(plan.Apply(writes.Through(set, slicer.ClientWriter(ctx, api))), plan.Retry())
}
