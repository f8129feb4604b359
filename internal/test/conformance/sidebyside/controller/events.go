package controller

import (
	"context"
	"errors"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer/services"
)

// events is the source of all work. It keeps the index, and enqueues the Services that an event concerns if their plans can differ
// after it. The index has an event before a Service is enqueued, and all objects that there are before the first sync.
type events struct {
	cache   cache.Cache
	index   *index
	written *tracker
	batch   time.Duration // from a Pod's event to a sync
	synced  []toolscache.InformerSynced
}

// Start registers the handlers, each with the informer of its kind.
func (e *events) Start(ctx context.Context, q queue) error {
	return errors.Join(
		watch(ctx, e, &corev1.Service{}, func(was, is *corev1.Service, _ bool) { e.service(q, was, is) }),
		watch(ctx, e, &corev1.Pod{}, func(was, is *corev1.Pod, first bool) { e.pod(q, was, is, first) }),
		watch(ctx, e, &corev1.Node{}, func(was, is *corev1.Node, first bool) { e.node(q, was, is, first) }),
		watch(ctx, e, &discoveryv1.EndpointSlice{}, func(was, is *discoveryv1.EndpointSlice, first bool) { e.slice(q, was, is, first) }),
	)
}

// WaitForSync waits until each handler has seen every object that its informer began with.
func (e *events) WaitForSync(ctx context.Context) error {
	if !toolscache.WaitForCacheSync(ctx.Done(), e.synced...) {
		return errors.New("the handlers did not see every object in time")
	}
	return nil
}

// watch calls changed with an object as it was and is, one of them nil where it was not there or is gone, and with whether it is
// one that the informer began with.
func watch[O interface {
	comparable
	client.Object
}](ctx context.Context, e *events, kind O, changed func(was, is O, first bool)) error {
	informer, err := e.cache.GetInformer(ctx, kind, cache.BlockUntilSynced(false))
	if err != nil {
		return err
	}
	var none O
	handler, err := informer.AddEventHandler(toolscache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(is any, first bool) { changed(none, is.(O), first) },
		UpdateFunc: func(was, is any) { changed(was.(O), is.(O), false) },
		DeleteFunc: func(was any) {
			if unseen, ok := was.(toolscache.DeletedFinalStateUnknown); ok {
				was = unseen.Obj
			}
			changed(was.(O), none, false)
		},
	})
	if err == nil {
		e.synced = append(e.synced, handler.HasSynced)
	}
	return err
}

// service enqueues a Service at once. Its Pods need not do so at the start.
func (e *events) service(q queue, was, is *corev1.Service) {
	e.index.setService(was, is)
	if is != nil && services.ServiceMatters(was, is) {
		q.Add(ctrl.Request{NamespacedName: client.ObjectKeyFromObject(is)})
	}
}

func (e *events) pod(q queue, was, is *corev1.Pod, first bool) {
	e.index.setPod(was, is)
	if first || !services.PodMatters(was, is, services.Options{}) {
		return
	}
	concerned := map[client.ObjectKey]bool{}
	if is == nil || was != nil && !maps.Equal(was.Labels, is.Labels) {
		e.index.selecting(was, concerned)
	}
	e.index.selecting(is, concerned)
	enqueue(q, concerned, e.batch)
}

// node enqueues the Services with Pods on a Node that came, went or is in another zone, and those whose hints follow the weights of
// zones. Nodes often come and go together, so that a sync waits for a while, as after the write of a slice.
func (e *events) node(q queue, was, is *corev1.Node, first bool) {
	e.index.setNode(was, is)
	if first {
		return
	}
	concerned := map[client.ObjectKey]bool{}
	if services.NodeMatters(was, is) {
		for _, node := range []*corev1.Node{was, is} {
			if node != nil {
				e.index.using(node.Name, concerned)
			}
		}
	}
	if hints.NodesMatter(was, is, nil) {
		e.index.weighing(concerned)
	}
	enqueue(q, concerned, max(e.batch, otherDelay))
}

// slice enqueues the Service of a slice of ours that somebody else wrote or deleted.
func (e *events) slice(q queue, was, is *discoveryv1.EndpointSlice, first bool) {
	e.index.setSlice(was, is)
	if first || !services.SliceMatters(was, is, services.Options{ManagedBy: managedBy}) {
		return
	}
	enqueue(q, e.written.foreign(was, is), max(e.batch, otherDelay))
}

func enqueue(q queue, services map[client.ObjectKey]bool, after time.Duration) {
	for key := range services {
		q.AddAfter(ctrl.Request{NamespacedName: key}, after)
	}
}
