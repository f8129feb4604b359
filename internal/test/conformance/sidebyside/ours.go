package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"

	"github.com/slicewright/slicewright/examples/programs/controller"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// Flags that both sides have.
const (
	qpsFlag, burstFlag = "kube-api-qps", "kube-api-burst"
	batchFlag          = "endpointslice-updates-batch-period"
	workers            = 5 // Services that are planned at a time, as kube-controller-manager has by default
)

// ours is the program that README prints, NewSyncer and Sync, with what README leaves to its
// reader: events, a queue and workers.
type ours struct {
	factory  informers.SharedInformerFactory
	syncer   *publish.Syncer
	services corelisters.ServiceLister
	pods     corelisters.PodLister
	nodes    corelisters.NodeLister
	batch    time.Duration // from a Pod's change to a sync
	queue    workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// runOurs is our side's process.
func runOurs(ctx context.Context, kubeconfig string, args []string) error {
	log.SetOutput(io.Discard)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	// as kube-controller-manager
	config.ContentType, config.DisableCompression = "application/vnd.kubernetes.protobuf", true
	flags, qps := flag.NewFlagSet(oursCommand, flag.ContinueOnError), 0.0
	flags.Float64Var(&qps, qpsFlag, 20, "requests in a second")
	batch := flags.Duration(batchFlag, 0, "time from a Pod's change to a sync")
	flags.IntVar(&config.Burst, burstFlag, 30, "requests at once")
	if err := flags.Parse(args); err != nil {
		return err
	}
	config.QPS = float32(qps)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	return newOurs(client, *batch).run(ctx)
}

func newOurs(client kubernetes.Interface, batch time.Duration) *ours {
	factory := informers.NewSharedInformerFactory(client, 0)
	core := factory.Core().V1()
	return &ours{
		factory: factory, syncer: controller.NewSyncer(client, factory), services: core.Services().Lister(),
		pods: core.Pods().Lister(), nodes: core.Nodes().Lister(), batch: batch,
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()),
	}
}

// run publishes until ctx ends.
func (o *ours) run(ctx context.Context) error {
	if err := o.watch(); err != nil {
		return err
	}
	o.factory.Start(ctx.Done())
	o.factory.WaitForCacheSync(ctx.Done())
	for range workers {
		go o.work(ctx)
	}
	<-ctx.Done()
	o.queue.ShutDown()
	return nil
}

// watch queues the Services that an event concerns.
func (o *ours) watch() error {
	core, options := o.factory.Core().V1(), services.Options{ManagedBy: "slices.example.com"}
	return errors.Join(
		handle(core.Services().Informer(), func(was, is *corev1.Service) {
			if services.ServiceMatters(was, is) {
				o.enqueue(0, was, is)
			}
		}),
		handle(core.Pods().Informer(), func(was, is *corev1.Pod) {
			if services.PodMatters(was, is, options) {
				o.enqueueIf(o.batch, func(svc *corev1.Service) bool {
					return was != nil && services.Selects(svc, was) || is != nil && services.Selects(svc, is)
				})
			}
		}),
		handle(core.Nodes().Informer(), func(was, is *corev1.Node) {
			if services.NodeMatters(was, is) {
				o.enqueueIf(0, func(*corev1.Service) bool { return true })
			}
		}),
		handle(o.factory.Discovery().V1().EndpointSlices().Informer(), func(was, is *discoveryv1.EndpointSlice) {
			if services.SliceMatters(was, is, options) {
				o.enqueueSlice(was)
				o.enqueueSlice(is)
			}
		}),
	)
}

// handle calls changed with an object as it was and is, nil where it was not there or is gone.
func handle[T any](informer cache.SharedIndexInformer, changed func(was, is *T)) error {
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(is any) { changed(nil, is.(*T)) },
		UpdateFunc: func(was, is any) { changed(was.(*T), is.(*T)) },
		DeleteFunc: func(was any) {
			if unseen, ok := was.(cache.DeletedFinalStateUnknown); ok {
				was = unseen.Obj
			}
			changed(was.(*T), nil)
		},
	})
	return err
}

func (o *ours) enqueue(after time.Duration, all ...*corev1.Service) {
	for _, svc := range all {
		if svc != nil {
			o.queue.AddAfter(cache.MetaObjectToName(svc), after)
		}
	}
}

func (o *ours) enqueueIf(after time.Duration, concerned func(*corev1.Service) bool) {
	all, _ := o.services.List(labels.Everything()) // from memory
	for _, svc := range all {
		if concerned(svc) {
			o.enqueue(after, svc)
		}
	}
}

func (o *ours) enqueueSlice(s *discoveryv1.EndpointSlice) {
	if s != nil {
		o.queue.Add(cache.NewObjectName(s.Namespace, s.Labels[discoveryv1.LabelServiceName]))
	}
}

// work syncs Services until the queue is shut down. An error, also publish.ErrWait, is tried again
// with back-off.
func (o *ours) work(ctx context.Context) {
	for {
		name, stopped := o.queue.Get()
		if stopped {
			return
		}
		if err := o.sync(ctx, name); err != nil {
			o.queue.AddRateLimited(name)
		} else {
			o.queue.Forget(name)
		}
		o.queue.Done(name)
	}
}

// sync calls README's program, or Remove for a Service that is gone.
func (o *ours) sync(ctx context.Context, name cache.ObjectName) error {
	svc, err := o.services.Services(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		gone := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name}}
		_, err = o.syncer.Remove(ctx, gone)
	}
	if svc == nil || err != nil {
		return err
	}
	pods, err := o.pods.Pods(name.Namespace).List(labels.SelectorFromSet(svc.Spec.Selector))
	if err != nil {
		return err
	}
	nodes, err := o.nodes.List(labels.Everything())
	if err != nil {
		return err
	}
	return controller.Sync(ctx, o.syncer, svc, pods, nodes)
}
