package reconciler

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	controllerfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// pools publishes the Pods of inference pools, which have no Service.
type pools struct {
	client.Client
	slices *publish.Syncer
}

var poolKind = schema.GroupVersionKind{Group: "inference.networking.k8s.io", Version: "v1", Kind: "InferencePool"}

var poolOptions = services.Options{ManagedBy: "pools.example.com", NameLabel: "pools.example.com/pool"}

// setUp watches pools, their slices, and the changes of Pods that a plan can show.
func (r *pools) setUp(m manager.Manager) error {
	pool := &unstructured.Unstructured{}
	pool.SetGroupVersionKind(poolKind)
	return ctrl.NewControllerManagedBy(m).For(pool).Owns(&discoveryv1.EndpointSlice{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(r.of),
			builder.WithPredicates(predicate.TypedFuncs[client.Object]{
				UpdateFunc: func(e event.UpdateEvent) bool {
					return services.PodChanged(e.ObjectOld.(*corev1.Pod), e.ObjectNew.(*corev1.Pod), poolOptions)
				},
			})).Complete(r)
}

// of returns the pools that select a Pod. controller-runtime asks for the old and for the new one.
func (r *pools) of(ctx context.Context, pod client.Object) (requests []ctrl.Request) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(poolKind)
	_ = r.List(ctx, list, client.InNamespace(pod.GetNamespace())) // from memory
	for i := range list.Items {
		s, err := selectionOf(&list.Items[i])
		if err != nil {
			continue // Reconcile says so
		}
		selector, err := metav1.LabelSelectorAsSelector(s.Selector)
		if err == nil && selector.Matches(labels.Set(pod.GetLabels())) {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// selectionOf returns what a pool selects.
func selectionOf(pool *unstructured.Unstructured) (s services.Selection, err error) {
	var of struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Spec     struct {
			Selector    *metav1.LabelSelector `json:"selector"`
			TargetPorts []struct {
				Number int32 `json:"number"`
			} `json:"targetPorts"`
		} `json:"spec"`
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructured(pool.Object, &of)
	s = services.Selection{
		Parent: of.Metadata, OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(pool, poolKind)},
		Selector: of.Spec.Selector,
	}
	for _, p := range of.Spec.TargetPorts {
		s.Ports = append(s.Ports, corev1.ServicePort{Name: fmt.Sprint("port-", p.Number), Port: p.Number})
	}
	return s, err
}

// Reconcile brings the slices of a pool up to date. When the pool is deleted they go with it,
// because it owns them.
func (r *pools) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	pool := &unstructured.Unstructured{}
	pool.SetGroupVersionKind(poolKind)
	if err := r.Get(ctx, request.NamespacedName, pool); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	var nodes corev1.NodeList
	here := client.InNamespace(request.Namespace)
	s, err := selectionOf(pool)
	if err := errors.Join(err, r.List(ctx, &pods, here), r.List(ctx, &nodes)); err != nil {
		return ctrl.Result{}, err
	}
	in, err := services.FromSelection(s, slicer.Pointers(pods.Items),
		services.NodesByName(slicer.Pointers(nodes.Items)), poolOptions)
	if err != nil {
		return resultOf(err)
	}
	plan, err := r.slices.Sync(ctx, in)
	if len(plan.Warnings) > 0 {
		log.FromContext(ctx).Info("not all of the pool is published", "warnings", plan.Warnings.String())
	}
	return resultOf(err)
}

// A controller for a custom resource that selects Pods without a Service.
func Example_withoutService() {
	pool := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"namespace": "shop", "name": "llm", "uid": "7"},
		"spec": map[string]any{
			"selector":    map[string]any{"matchLabels": map[string]any{"app": "llm"}},
			"targetPorts": []any{map[string]any{"number": int64(8000)}, map[string]any{"number": int64(8001)}},
		},
	}}
	pool.SetGroupVersionKind(poolKind)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "llm-0", Labels: map[string]string{"app": "llm"}},
		Spec:       corev1.PodSpec{NodeName: "node-1"},
		Status:     corev1.PodStatus{PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}}},
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	c := controllerfake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(pool, pod, node).Build()
	syncer, err := publish.New(Client(c, c))
	fmt.Println(err)
	ctx, r := context.Background(), &pools{c, syncer}
	m, err := manager.New(&rest.Config{}, manager.Options{}) // of no cluster
	fmt.Println(err, r.setUp(m))
	for range 2 { // the second call finds nothing to do
		for _, request := range r.of(ctx, pod) {
			_, err := r.Reconcile(ctx, request)
			fmt.Println(request, err)
		}
	}
	var list discoveryv1.EndpointSliceList
	fmt.Println(c.List(ctx, &list))
	for _, s := range list.Items {
		fmt.Println(s.Name, "written", s.ResourceVersion, "time:", s.Endpoints[0].Addresses, *s.Ports[0].Port,
			*s.Ports[1].Port)
		fmt.Println(s.OwnerReferences[0].Kind, s.Labels)
	}
	// Output:
	// <nil>
	// <nil> <nil>
	// shop/llm <nil>
	// shop/llm <nil>
	// <nil>
	// llm-jjrd5q66-ipv4 written 1 time: [10.0.0.1] 8000 8001
	// InferencePool map[endpointslice.kubernetes.io/managed-by:pools.example.com pools.example.com/pool:llm]
}
