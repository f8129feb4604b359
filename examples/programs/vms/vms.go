// Package vms publishes virtual machines of KubeVirt behind Services that have no selector. It
// reads VirtualMachineInstance objects, and needs none of KubeVirt's Go packages.
package vms

import (
	"context"
	"encoding/json"
	"errors"
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// Options are those of the Syncer. A machine without a port of the Service is left out.
var Options = services.Options{ManagedBy: "vms.example.com", SkipUnresolved: true}

// Sync brings the slices of a Service to what its machines offer. Call it when one of them changes,
// and again after an error.
func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, machines []*unstructured.Unstructured) error {
	plan, err := s.Backends(ctx, svc, Backends(machines))
	if w := plan.Warnings(); len(w) > 0 {
		log.Print(w) // such as a machine without an address of one of the Service's families
	}
	if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
		log.Print(err) // a mistake in the Service or the options: only a change of them helps
		return nil
	}
	return err // publish.ErrWait: call again soon; any other error: call again with back-off
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

// Backends returns what machines offer: addresses while the machine runs, readiness and the time of
// its last change from the condition Ready, and named ports, whose numbers may differ from machine
// to machine. A machine that does not run has no address and is skipped.
func Backends(machines []*unstructured.Unstructured) (list []services.Backend) {
	for _, o := range machines {
		var vm machine
		text, _ := json.Marshal(o.Object)
		_ = json.Unmarshal(text, &vm) // without errors, because the API server checked the types
		b := services.Backend{
			Name:        o.GetName(),
			Node:        vm.Status.NodeName,
			Terminating: o.GetDeletionTimestamp() != nil,
			TargetRef: corev1.ObjectReference{
				APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(),
				UID: o.GetUID(),
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
