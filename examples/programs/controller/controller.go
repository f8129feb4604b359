// Package controller is a reference program: it publishes the Pods of Services, whole but for its
// queue.
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
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/events"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// controller is what all syncs share. One worker uses it, because of reported; the Syncer may have
// several.
type controller struct {
	caches   informers.SharedInformerFactory
	slices   *publish.Syncer
	tell     events.EventRecorder
	reported map[string]hints.Decision // by events
}

// sync makes the slices of a Service what it publishes. If there is an error, call it again: soon
// for publish.ErrWait, and with back-off for any other. tries is the queue's NumRequeues.
func (c *controller) sync(ctx context.Context, namespace, name string, tries int) error {
	core := c.caches.Core().V1()
	svc, err := core.Services().Lister().Services(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return c.remove(ctx, namespace, name)
	}
	var pods []*corev1.Pod
	if err == nil && len(svc.Spec.Selector) > 0 { // an empty selector would list all Pods of the namespace
		pods, err = core.Pods().Lister().Pods(namespace).List(labels.SelectorFromSet(svc.Spec.Selector))
	}
	nodes, errNodes := core.Nodes().Lister().List(labels.Everything())
	if err := errors.Join(err, errNodes); err != nil {
		return err
	}
	o := services.Options{ManagedBy: "slices.example.com", Hints: hints.Options{Weights: hints.NodeWeights(nodes, nil)}}
	plan, err := c.slices.With(o).Pods(ctx, svc, pods, services.NodesByName(nodes))
	c.report(svc, plan, tries)
	if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
		c.tell.Eventf(svc, nil, corev1.EventTypeWarning, "Mistake", "Publish", "%.1000s", err)
		return nil // only a change of the Service helps
	}
	return err
}

// remove deletes the slices of a Service that is gone, and forgets it. If the Service owns its
// slices, they go anyway.
func (c *controller) remove(ctx context.Context, namespace, name string) error {
	maps.DeleteFunc(c.reported, func(key string, _ hints.Decision) bool {
		return strings.HasPrefix(key, namespace+"/"+name+"/")
	})
	_, err := c.slices.Remove(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
	return err
}

// report tells what is not published although it should be, and decisions on hints that are not
// those of the last sync.
func (c *controller) report(svc *corev1.Service, plan slicer.Plan, tries int) {
	for _, skip := range plan.Warnings() {
		if tries == 0 { // one warning for all retries
			c.tell.Eventf(svc, &skip.Object, corev1.EventTypeWarning, string(skip.Reason), "Publish", "%.1000s", skip)
		}
	}
	for _, d := range plan.Hints {
		if key := svc.Namespace + "/" + svc.Name + "/" + string(d.AddressType); d.Reason != c.reported[key].Reason {
			c.reported[key] = d
			c.tell.Eventf(svc, nil, corev1.EventTypeNormal, "TopologyHints", "Decide", "%.1000s", d)
		}
	}
}
