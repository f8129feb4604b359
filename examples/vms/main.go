// Command vms publishes EndpointSlices for Services whose backends are virtual machines of KubeVirt.
package main

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func main() {
	ctrl.SetLogger(zap.New())
	config, err := ctrl.GetConfig()
	if err == nil { // without a cluster this is all that there is to say
		_, err = discovery.NewDiscoveryClientForConfigOrDie(config).ServerVersion()
	}
	if err == nil {
		err = run(ctrl.SetupSignalHandler(), config, manager.Options{})
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run lets a reconciler work until the context ends.
func run(ctx context.Context, config *rest.Config, o manager.Options) error {
	o.Client.Cache = &client.CacheOptions{Unstructured: true}
	m, err := manager.New(config, o)
	if err != nil {
		return err
	}
	r := &reconciler{m.GetClient(), m.GetEventRecorder(managedBy)}
	vm := &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind}}
	if err := ctrl.NewControllerManagedBy(m).For(&corev1.Service{}).Owns(&discoveryv1.EndpointSlice{}).
		Watches(vm, handler.EnqueueRequestsFromMapFunc(r.services)).Complete(reconcile.AsReconciler(r, r)); err != nil {
		return err
	}
	return m.Start(ctx)
}

// services returns the Services in a VM's namespace that select VMs. A plan that changes nothing is cheap.
func (r *reconciler) services(ctx context.Context, vm client.Object) (requests []ctrl.Request) {
	var list corev1.ServiceList
	_ = r.List(ctx, &list, client.InNamespace(vm.GetNamespace()), client.UnsafeDisableDeepCopy) // from memory
	for i := range list.Items {
		if list.Items[i].Annotations[selector] != "" {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}
