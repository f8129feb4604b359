package main

import (
	"context"
	"encoding/json"
	"errors"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// managedBy marks the slices; selector is the annotation of a Service that says which labels its VMs have.
const managedBy, selector, apiVersion, kind = "vms.example.com", "vms.example.com/selector", "kubevirt.io/v1", "VirtualMachineInstance"

type slice = discoveryv1.EndpointSlice

type reconciler struct {
	client.Client
	events events.EventRecorder
}

// Reconcile plans the slices of one Service and writes what differs. After an error it is called again. When the Service
// is deleted its slices go with it, because it owns them.
func (r *reconciler) Reconcile(ctx context.Context, svc *corev1.Service) (ctrl.Result, error) {
	plan, err := r.plan(ctx, svc) // after an error the plan is empty
	_, failed := plan.Apply(slicer.Writer{
		Create: func(s *slice) error { return r.Create(ctx, s) },
		Update: func(s *slice) error { return r.Update(ctx, s) },
		Delete: func(s *slice, p *metav1.Preconditions) error { return r.Delete(ctx, s, client.Preconditions(*p)) },
	})
	return ctrl.Result{}, errors.Join(err, failed)
}

// plan reads from the cache and shares its memory, because planning changes nothing that it is given.
func (r *reconciler) plan(ctx context.Context, svc *corev1.Service) (slicer.Plan, error) {
	stored, here := discoveryv1.EndpointSliceList{}, client.InNamespace(svc.Namespace)
	vms := unstructured.UnstructuredList{Object: map[string]any{"apiVersion": apiVersion, "kind": kind + "List"}}
	selected, err := labels.Parse(svc.Annotations[selector])
	if err = errors.Join(err, r.List(ctx, &stored, here, client.UnsafeDisableDeepCopy),
		r.List(ctx, &vms, here, client.UnsafeDisableDeepCopy, client.MatchingLabelsSelector{Selector: selected})); err != nil {
		return slicer.Plan{}, err
	}
	var existing []*slice
	for i := range stored.Items {
		existing = append(existing, &stored.Items[i])
	}
	o := service.Options{ManagedBy: managedBy, AllowNoSelector: true, SkipUnresolved: true}
	if managed, _ := service.Managed(svc, o); !managed || selected.Empty() {
		return service.PlanRemoval(svc, existing, o)
	}
	plan, err := service.PlanBackends(svc, backends(vms.Items), existing, o)
	for _, s := range plan.Skips {
		r.events.Eventf(svc, &s.Object, corev1.EventTypeWarning, string(s.Reason), "Publish", "%.1000s", s)
	}
	return plan, err
}

// machine is what endpoints need of a VirtualMachineInstance.
type machine struct {
	Spec   struct{ Domain struct{ Devices devices } }
	Status struct {
		Phase, NodeName string
		Interfaces      []struct{ IPAddresses []string }
		Conditions      []metav1.Condition
	}
}
type devices struct{ Interfaces []service.Backend } // an interface has ports with the fields of a Backend's

// backends returns what VMs offer. One that does not run has no address, so that it is skipped.
func backends(vms []unstructured.Unstructured) (list []service.Backend) {
	for i := range vms {
		o, vm := &vms[i], machine{}
		text, _ := json.Marshal(o.Object)
		_ = json.Unmarshal(text, &vm) // without errors, because the API server checked the types
		b := service.Backend{Name: o.GetName(), Node: vm.Status.NodeName, Terminating: o.GetDeletionTimestamp() != nil}
		b.TargetRef = corev1.ObjectReference{APIVersion: apiVersion, Kind: kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID()}
		if c := meta.FindStatusCondition(vm.Status.Conditions, "Ready"); c != nil {
			b.Ready, b.Changed = c.Status == metav1.ConditionTrue, c.LastTransitionTime.Time
		}
		for _, nic := range vm.Spec.Domain.Devices.Interfaces {
			b.Ports = append(b.Ports, nic.Ports...)
		}
		for i := 0; i < len(vm.Status.Interfaces) && vm.Status.Phase == "Running"; i++ {
			b.Addresses = append(b.Addresses, vm.Status.Interfaces[i].IPAddresses...)
		}
		list = append(list, b)
	}
	return list
}
