// Package controller is a reference program: it publishes the Pods of Services, whole but for its queue. A test counts its lines.
package controller

import (
	"context"
	"errors"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// sync makes the slices of a Service what it publishes. One worker calls it, and again later if there is an error. told are the
// hint decisions that events have told.
func sync(ctx context.Context, client kubernetes.Interface, caches informers.SharedInformerFactory, tell events.EventRecorder, told map[string]hints.Decision, namespace, name string) error {
	core, of := caches.Core().V1(), namespace+"/"+name+"/"
	svc, err := core.Services().Lister().Services(namespace).Get(name)
	pods, errPods := core.Pods().Lister().Pods(namespace).List(labels.Everything()) // Plan knows which are the Service's
	nodes, errNodes := core.Nodes().Lister().List(labels.Everything())
	existing, errSlices := caches.Discovery().V1().EndpointSlices().Lister().EndpointSlices(namespace).List(labels.Everything())
	if err := errors.Join(err, errPods, errNodes, errSlices); err != nil {
		maps.DeleteFunc(told, func(key string, _ hints.Decision) bool { return strings.HasPrefix(key, of) })
		return utilerrors.FilterOut(err, apierrors.IsNotFound) // the slices of a Service that is gone go with their owner
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
	return errors.Join(plan.Apply(slicer.ClientWriter(ctx, client.DiscoveryV1().EndpointSlices(namespace))), plan.Retry())
}
