// Package machines publishes EndpointSlices for Services whose backends are virtual machines of KubeVirt.
package machines

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

const (
	ManagedBy  = "vms.example.com"          // marks the slices
	Selector   = "vms.example.com/selector" // annotation of a Service: which labels its VMs have
	APIVersion = "kubevirt.io/v1"
	Kind       = "VirtualMachineInstance"
)

type reconciler struct {
	client.Client
	events events.EventRecorder
	slices *publish.Syncer
}

// Run lets a reconciler work until the context ends.
func Run(ctx context.Context, config *rest.Config, o manager.Options) error {
	o.Client.Cache = &client.CacheOptions{Unstructured: true}
	m, err := manager.New(config, o)
	if err != nil {
		return err
	}
	slices := publish.New(Slices(m.GetClient(), m.GetAPIReader()), services.Options{ManagedBy: ManagedBy, SkipUnresolved: true})
	r := &reconciler{Client: m.GetClient(), events: m.GetEventRecorder(ManagedBy), slices: slices}
	vm := &unstructured.Unstructured{Object: map[string]any{"apiVersion": APIVersion, "kind": Kind}}
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
		if list.Items[i].Annotations[Selector] != "" {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// Reconcile brings the slices of one Service up to date. When the Service is deleted its slices go with it, because it owns them.
func (r *reconciler) Reconcile(ctx context.Context, svc *corev1.Service) (ctrl.Result, error) {
	plan, err := r.sync(ctx, svc)
	for _, s := range plan.Warnings() {
		r.events.Eventf(svc, &s.Object, corev1.EventTypeWarning, string(s.Reason), "Publish", "%.1000s", s)
	}
	if errors.Is(err, publish.ErrWait) {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	return ctrl.Result{}, err
}

// sync publishes the VMs that the Service's annotation selects, from the cache, whose memory the Syncer only reads.
func (r *reconciler) sync(ctx context.Context, svc *corev1.Service) (slicer.Plan, error) {
	selected, err := labels.Parse(svc.Annotations[Selector])
	if err != nil {
		return slicer.Plan{}, reconcile.TerminalError(err)
	}
	if selected.Empty() {
		return r.slices.Remove(ctx, svc)
	}
	vms := unstructured.UnstructuredList{Object: map[string]any{"apiVersion": APIVersion, "kind": Kind + "List"}}
	here, shared := client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy
	if err := r.List(ctx, &vms, here, shared, client.MatchingLabelsSelector{Selector: selected}); err != nil {
		return slicer.Plan{}, err
	}
	return r.slices.Backends(ctx, svc, Backends(vms.Items))
}

// machine is what endpoints need of a VirtualMachineInstance.
type machine struct {
	Spec struct {
		Domain struct {
			Devices struct {
				Interfaces []struct{ Ports []services.BackendPort } // the fields have the same names
			}
		}
	}
	Status struct {
		Phase, NodeName string
		Interfaces      []struct{ IPAddresses []string }
		Conditions      []metav1.Condition
	}
}

// Backends returns what VMs offer. One that does not run has no address, so that it is skipped.
func Backends(vms []unstructured.Unstructured) (list []services.Backend) {
	for i := range vms {
		o := &vms[i]
		var vm machine
		text, _ := json.Marshal(o.Object)
		_ = json.Unmarshal(text, &vm) // without errors, because the API server checked the types
		b := services.Backend{
			Name:        o.GetName(),
			Node:        vm.Status.NodeName,
			Terminating: o.GetDeletionTimestamp() != nil,
			TargetRef: corev1.ObjectReference{
				APIVersion: APIVersion, Kind: Kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(),
			},
		}
		if c := meta.FindStatusCondition(vm.Status.Conditions, "Ready"); c != nil {
			b.Ready, b.Changed = c.Status == metav1.ConditionTrue, c.LastTransitionTime.Time
		}
		for _, nic := range vm.Spec.Domain.Devices.Interfaces {
			b.Ports = append(b.Ports, nic.Ports...)
		}
		if vm.Status.Phase == "Running" {
			for _, nic := range vm.Status.Interfaces {
				b.Addresses = append(b.Addresses, nic.IPAddresses...)
			}
		}
		list = append(list, b)
	}
	return list
}
