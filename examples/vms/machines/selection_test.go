package machines

import (
	"context"
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// pools publishes what inference pools select, without a Service: a whole program but for its set-up.
type pools struct{ client.Client }

var poolKind = schema.GroupVersionKind{Group: "inference.networking.k8s.io", Version: "v1", Kind: "InferencePool"}

// poolSpec is what is read of a pool.
type poolSpec struct {
	Selector    *metav1.LabelSelector `json:"selector"`
	TargetPorts []struct {
		Number int32 `json:"number"`
	} `json:"targetPorts"`
}

// Reconcile makes the slices of a pool what it selects. They go with the pool, which owns them.
func (r *pools) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pool := &unstructured.Unstructured{}
	pool.SetGroupVersionKind(poolKind)
	if err := r.Get(ctx, req.NamespacedName, pool); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var of struct {
		Spec poolSpec `json:"spec"`
	}
	var pods corev1.PodList
	var nodes corev1.NodeList
	var existing discoveryv1.EndpointSliceList
	here := client.InNamespace(req.Namespace)
	if err := errors.Join(
		runtime.DefaultUnstructuredConverter.FromUnstructured(pool.Object, &of),
		r.List(ctx, &pods, here), r.List(ctx, &nodes), r.List(ctx, &existing, here),
	); err != nil {
		return ctrl.Result{}, err
	}
	s := service.Selection{
		Parent: metav1.ObjectMeta{
			Namespace: pool.GetNamespace(), Name: pool.GetName(),
			CreationTimestamp: pool.GetCreationTimestamp(), DeletionTimestamp: pool.GetDeletionTimestamp(),
		},
		Owners:   []metav1.OwnerReference{*metav1.NewControllerRef(pool, poolKind)},
		Selector: of.Spec.Selector,
	}
	for _, p := range of.Spec.TargetPorts {
		s.Ports = append(s.Ports, corev1.ServicePort{Name: fmt.Sprint("port-", p.Number), Port: p.Number})
	}
	plan, err := service.PlanSelection(s, slicer.Pointers(pods.Items), service.NodesByName(slicer.Pointers(nodes.Items)),
		slicer.Pointers(existing.Items), service.Options{
			ManagedBy: "pools.example.com", Key: map[string]string{"pools.example.com/pool": pool.GetName()},
		})
	if err != nil {
		return ctrl.Result{}, reconcile.TerminalError(err) // a mistake in the pool, which no retry mends
	}
	if err := plan.Err(); err != nil {
		log.FromContext(ctx).Error(err, "not published")
	}
	return ctrl.Result{}, errors.Join(plan.Apply(slicer.Writer{
		Create: func(s *discoveryv1.EndpointSlice) error { return r.Create(ctx, s) },
		Update: func(s *discoveryv1.EndpointSlice) error { return r.Update(ctx, s) },
		Delete: func(s *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return r.Delete(ctx, s, client.Preconditions(*p))
		},
	}), plan.Retry())
}

// TestPools: the Pod of a pool is published under the pool's own label, and a second call writes nothing.
func TestPools(t *testing.T) {
	pool := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"selector":    map[string]any{"matchExpressions": []any{map[string]any{"key": "app", "operator": "In", "values": []any{"llm"}}}},
		"targetPorts": []any{map[string]any{"number": int64(8000)}, map[string]any{"number": int64(8001)}},
	}}}
	pool.SetGroupVersionKind(poolKind)
	pool.SetNamespace("shop")
	pool.SetName("llm")
	pool.SetUID("7")
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "llm-0", Labels: map[string]string{"app": "llm"}},
		Spec:       corev1.PodSpec{NodeName: "node-1"},
		Status:     corev1.PodStatus{PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}}},
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	c := fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(pool, pod, node).Build()
	var version string
	for range 2 {
		if _, err := (&pools{c}).Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(pool)}); err != nil {
			t.Fatal(err)
		}
		var list discoveryv1.EndpointSliceList
		if err := c.List(t.Context(), &list); err != nil || len(list.Items) != 1 {
			t.Fatal(err, list.Items)
		}
		s := list.Items[0]
		if s.Endpoints[0].Addresses[0] != "10.0.0.1" || len(s.Ports) != 2 || s.OwnerReferences[0].Kind != poolKind.Kind ||
			s.Labels["pools.example.com/pool"] != "llm" || s.Labels[discoveryv1.LabelServiceName] != "" {
			t.Errorf("%+v", s)
		}
		if version != "" && version != s.ResourceVersion {
			t.Error("the second call writes")
		}
		version = s.ResourceVersion
	}
}
