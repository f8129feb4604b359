package cluster

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/slicewright/slicewright/examples/vms/machines"
	"github.com/slicewright/slicewright/slicer/service"
)

// TestTriggerTime: a slice says when the machine that is new in it became ready, and a Skip which machine is left out.
func TestTriggerTime(t *testing.T) {
	ready := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	stop := newMachine("shop", "stopped", 80, []string{"10.0.0.2"}, set(t, "Stopped", "status", "phase"))
	list := machines.Backends([]unstructured.Unstructured{*newMachine("shop", "new", 80, []string{"10.0.0.1"}), *stop})
	if list[0].Name != "new" || !list[0].Ready || !list[0].Changed.Equal(ready) {
		t.Errorf("got %+v", list[0])
	}
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", CreationTimestamp: metav1.NewTime(ready.Add(-time.Hour))},
		Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}, IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}},
	}
	plan, err := service.PlanBackends(svc, list[1:], nil, service.Options{ManagedBy: machines.ManagedBy})
	if err != nil {
		t.Fatal(err)
	}
	plan, err = service.PlanBackends(svc, list, plan.After(), service.Options{ManagedBy: machines.ManagedBy})
	if err != nil || len(plan.Steps) != 1 || len(plan.Skips) != 1 {
		t.Fatalf("%v\n%v (%v)", plan, plan.Skips, err)
	}
	if got := plan.Steps[0].New.Annotations[corev1.EndpointsLastChangeTriggerTime]; got != "2026-01-02T03:04:05Z" {
		t.Errorf("trigger time %q", got)
	}
	if got := plan.Skips[0].String(); got != "VirtualMachineInstance shop/stopped: NoAddress: it has no address yet" {
		t.Errorf("skip %q", got)
	}
}
