package service_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestBackendTarget: the target is published as it is, without its resourceVersion, and the caller's stays as it was.
func TestBackendTarget(t *testing.T) {
	want := corev1.ObjectReference{
		APIVersion: "vm.example.com/v1", Kind: "VirtualMachine", Namespace: "shop", Name: "vm-1", UID: "v1", FieldPath: "spec",
	}
	given := want
	given.ResourceVersion = "7"
	backends := []service.Backend{{Addresses: []string{"10.0.0.1"}, TargetRef: given}}
	in, err := service.BackendsInput(aService(), backends, service.Options{ManagedBy: manager})
	if err != nil || *in.Groups[0].Endpoints[0].TargetRef != want || backends[0].TargetRef != given {
		t.Errorf("error %v, published %+v, given %+v", err, in.Groups[0].Endpoints[0].TargetRef, backends[0].TargetRef)
	}
}
