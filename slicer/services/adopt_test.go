package services_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer/services"
)

// TestAdopt: a slice without manager that the options name is taken over in one update, keeps its
// endpoint, and is removed with the others. One list of names serves all Services: no other Service
// takes the slice.
func TestAdopt(t *testing.T) {
	byHand := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1",
			Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: discoveryv1.AddressTypeIPv4,
		Endpoints:   []discoveryv1.Endpoint{{Addresses: []string{"192.0.2.1"}}},
		Ports:       []discoveryv1.EndpointPort{{Name: ptr("http"), Port: ptr(int32(8080))}},
	}
	existing := []*discoveryv1.EndpointSlice{byHand}
	o := services.Options{ManagedBy: "vms.example.com", Adopt: []string{"web-1"}}
	backends := []services.Backend{{Addresses: []string{"192.0.2.1"}, Ready: true}}
	plan, err := services.PlanBackends(aService(), backends, existing, o)
	if err != nil || len(plan.Steps) != 1 || plan.Steps[0].Old != byHand ||
		plan.Steps[0].Added+plan.Steps[0].Removed > 0 {
		t.Errorf("error %v\n%v", err, plan)
	}
	removal, err := services.PlanRemoval(aService(), existing, o)
	if err != nil || len(removal.Steps) != 1 || removal.Steps[0].Old != byHand {
		t.Errorf("error %v\n%v", err, removal)
	}
	other := aService(func(svc *corev1.Service) { svc.Name = "db" })
	for _, keyLabel := range []string{"", "example.com/of"} {
		if o.KeyLabel = keyLabel; keyLabel != "" {
			byHand.Labels[keyLabel] = "web"
		}
		plan, err = services.PlanBackends(other, backends, existing, o)
		if err != nil || len(plan.Steps) != 1 || plan.Steps[0].Old != nil {
			t.Errorf("of another Service: error %v\n%v", err, plan)
		}
	}
}
