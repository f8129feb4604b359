// Package controller is a reference program: it publishes the Pods of Services, whole but for its queue.
package controller

import (
	"context"
	"errors"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/events"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// patience is after how many tries a sync reads the slices live: some 20 seconds with the default limits of a queue.
const patience = 12

// controller is what all syncs share.
type controller struct {
	client   kubernetes.Interface
	caches   informers.SharedInformerFactory
	tell     events.EventRecorder
	reported map[string]hints.Decision // by events
	writes   slicer.Writes
}

// sync makes the slices of a Service what it publishes. One worker calls it, and again later if there is an error.
// tries is the queue's NumRequeues.
func (c *controller) sync(ctx context.Context, namespace, name string, tries int) error {
	set, core := slicer.Set{Namespace: namespace, Name: name}, c.caches.Core().V1()
	svc, err := core.Services().Lister().Services(namespace).Get(name)
	if err != nil {
		c.forget(set)
		return utilerrors.FilterOut(err, apierrors.IsNotFound) // its slices go with their owner
	}
	pods, errPods := core.Pods().Lister().Pods(namespace).List(labels.SelectorFromSet(svc.Spec.Selector))
	nodes, errNodes := core.Nodes().Lister().List(labels.Everything())
	existing, errSlices := c.existing(ctx, set, tries)
	if err := errors.Join(errPods, errNodes, errSlices); err != nil {
		return err
	}
	o := services.Options{ManagedBy: "slices.example.com"}
	o.Hints.Weights = hints.NodeWeights(nodes, nil)
	plan, err := services.Plan(svc, pods, services.NodesByName(nodes), existing, o)
	if errors.Is(err, services.ErrNotManaged) { // an ExternalName, or no selector any more: nothing of ours is left behind
		plan, err = services.PlanRemoval(svc, existing, o)
	}
	if err != nil {
		return err
	}
	c.report(svc, plan, tries)
	api := c.client.DiscoveryV1().EndpointSlices(namespace)
	return errors.Join(plan.Apply(c.writes.Through(set, slicer.ClientWriter(ctx, api))), plan.Retry())
}

// existing lists the Service's slices in the cache, or live where the cache does not show for long what was written.
func (c *controller) existing(ctx context.Context, set slicer.Set, tries int) ([]*discoveryv1.EndpointSlice, error) {
	cache := c.caches.Discovery().V1().EndpointSlices()
	of := labels.Set{discoveryv1.LabelServiceName: set.Name}.AsSelector()
	upTo := cache.Informer().GetStore().LastStoreSyncResourceVersion() // before the list
	list, err := cache.Lister().EndpointSlices(set.Namespace).List(of)
	if err != nil {
		return nil, err
	}
	if err := c.writes.Behind(set, list, upTo); err == nil || tries < patience {
		return list, err
	}
	api := c.client.DiscoveryV1().EndpointSlices(set.Namespace)
	live, err := api.List(ctx, metav1.ListOptions{LabelSelector: of.String()})
	if err != nil {
		return nil, err
	}
	list = slicer.Pointers(live.Items)
	c.writes.Listed(set, list)
	return list, nil
}

// report tells what is not published although it should be, and decisions on hints that are not those of the last sync.
func (c *controller) report(svc *corev1.Service, plan slicer.Plan, tries int) {
	for _, skip := range plan.Warnings() {
		if tries == 0 { // one warning for all retries
			c.tell.Eventf(svc, &skip.Object, corev1.EventTypeWarning, string(skip.Reason), "Publish", "%.1000s", skip)
		}
	}
	for _, d := range plan.Hints {
		if key := svc.Namespace + "/" + svc.Name + "/" + string(d.AddressType); !d.Same(c.reported[key]) {
			c.reported[key] = d
			c.tell.Eventf(svc, nil, corev1.EventTypeNormal, "TopologyHints", "Decide", "%.1000s", d)
		}
	}
}

// forget drops what is remembered of a Service.
func (c *controller) forget(set slicer.Set) {
	c.writes.Forget(set)
	maps.DeleteFunc(c.reported, func(key string, _ hints.Decision) bool {
		return strings.HasPrefix(key, set.Namespace+"/"+set.Name+"/")
	})
}
