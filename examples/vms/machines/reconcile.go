// Package machines publishes EndpointSlices for Services whose backends are virtual machines of KubeVirt.
package machines

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
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
	"github.com/slicewright/slicewright/slicer/services"
)

const (
	ManagedBy  = "vms.example.com"          // marks the slices
	Selector   = "vms.example.com/selector" // annotation of a Service: which labels its VMs have
	APIVersion = "kubevirt.io/v1"
	Kind       = "VirtualMachineInstance"
)

type slice = discoveryv1.EndpointSlice

type reconciler struct {
	client.Client
	events events.EventRecorder
	live   client.Reader // the API server, past the cache
	writes slicer.Writes
	waits  sync.Map // since when a Service waits for its last writes
}

// patience is how long the cache may take to show them, before they are read live.
const patience = 10 * time.Second

// Run lets a reconciler work until the context ends.
func Run(ctx context.Context, config *rest.Config, o manager.Options) error {
	o.Client.Cache = &client.CacheOptions{Unstructured: true}
	m, err := manager.New(config, o)
	if err != nil {
		return err
	}
	r := &reconciler{Client: m.GetClient(), events: m.GetEventRecorder(ManagedBy), live: m.GetAPIReader()}
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

// Reconcile plans the slices of one Service and writes what differs. After an error it is called again. When the Service
// is deleted its slices go with it, because it owns them.
func (r *reconciler) Reconcile(ctx context.Context, svc *corev1.Service) (ctrl.Result, error) {
	plan, err := r.plan(ctx, svc) // after an error the plan is empty
	failed := plan.Apply(r.writes.Through(setOf(svc), slicer.Writer{
		Create: func(s *slice) error { return r.Create(ctx, s) },
		Update: func(s *slice) error { return r.Update(ctx, s) },
		Delete: func(s *slice, p *metav1.Preconditions) error { return r.Delete(ctx, s, client.Preconditions(*p)) },
	}))
	return ctrl.Result{}, errors.Join(err, failed)
}

func setOf(svc *corev1.Service) slicer.Set {
	return slicer.Set{Namespace: svc.Namespace, Name: svc.Name}
}

// existing are the slices of the namespace: those of the cache, once it shows what was written last, or after a while those of the
// API server.
func (r *reconciler) existing(ctx context.Context, svc *corev1.Service) ([]*slice, error) {
	var stored, live discoveryv1.EndpointSliceList
	if err := r.List(ctx, &stored, client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	name, list := client.ObjectKeyFromObject(svc), slicer.Pointers(stored.Items)
	if late := r.writes.Behind(setOf(svc), list, ""); late != nil {
		if since, _ := r.waits.LoadOrStore(name, time.Now()); time.Since(since.(time.Time)) < patience {
			return nil, late
		}
		if err := r.live.List(ctx, &live, client.InNamespace(svc.Namespace)); err != nil {
			return nil, err
		}
		list = slicer.Pointers(live.Items)
		r.writes.Listed(setOf(svc), list)
	}
	r.waits.Delete(name)
	return list, nil
}

// plan reads from the cache and shares its memory, because planning changes nothing that it is given.
func (r *reconciler) plan(ctx context.Context, svc *corev1.Service) (slicer.Plan, error) {
	here, shared := client.InNamespace(svc.Namespace), client.UnsafeDisableDeepCopy
	selected, err := labels.Parse(svc.Annotations[Selector])
	if err != nil {
		return slicer.Plan{}, err
	}
	existing, err := r.existing(ctx, svc)
	if err != nil {
		return slicer.Plan{}, err
	}
	vms := unstructured.UnstructuredList{Object: map[string]any{"apiVersion": APIVersion, "kind": Kind + "List"}}
	if err := r.List(ctx, &vms, here, shared, client.MatchingLabelsSelector{Selector: selected}); err != nil {
		return slicer.Plan{}, err
	}
	o := services.Options{ManagedBy: ManagedBy, SkipUnresolved: true}
	if _, managed := services.Managed(svc); managed != services.Publishable || selected.Empty() {
		return services.PlanRemoval(svc, existing, o)
	}
	plan, err := services.PlanBackends(svc, Backends(vms.Items), existing, o)
	for _, s := range plan.Warnings() {
		r.events.Eventf(svc, &s.Object, corev1.EventTypeWarning, string(s.Reason), "Publish", "%.1000s", s)
	}
	return plan, err
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
