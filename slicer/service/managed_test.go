package service_test

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer/service"
)

func external(svc *corev1.Service)   { svc.Spec.Type = corev1.ServiceTypeExternalName }
func unselected(svc *corev1.Service) { svc.Spec.Selector = nil }

func TestManaged(t *testing.T) {
	for _, row := range []struct {
		why     string
		service *corev1.Service
		options service.Options
		want    service.Reason
	}{
		{"a Service with a selector", aService(), service.Options{}, service.Publishable},
		{"no Service", nil, service.Options{}, service.NoService},
		{"an alias, with a selector that means nothing", aService(external), service.Options{AllowNoSelector: true}, service.ExternalName},
		{"somebody else's endpoints", aService(unselected), service.Options{}, service.NoSelector},
		{"an alias without selector is an alias", aService(external, unselected), service.Options{}, service.ExternalName},
		{"Backends, and all Pods of a namespace, need no selector", aService(unselected), service.Options{AllowNoSelector: true}, service.Publishable},
	} {
		row.options.ManagedBy = manager
		pods, backends := service.Managed(row.service, row.options)
		if pods != row.want {
			t.Errorf("%v, want %v: %s", pods, row.want, row.why)
		}
		if row.service == nil {
			continue
		}
		_, err := service.Plan(row.service, nil, nil, nil, row.options)
		if (err == nil) != (pods == service.Publishable) || errors.Is(err, service.ErrNotManaged) != (err != nil) {
			t.Errorf("Managed says %v, and Plan %v: %s", pods, err, row.why)
		}
		_, err = service.PlanBackends(row.service, nil, nil, row.options)
		if (err == nil) != (backends == service.Publishable) || errors.Is(err, service.ErrNotManaged) != (err != nil) {
			t.Errorf("Managed says %v, and PlanBackends %v: %s", backends, err, row.why)
		}
	}
}

// TestPlanRemoval: all slices of the manager and key go, whatever the Service is now, and nobody else's.
func TestPlanRemoval(t *testing.T) {
	o := service.Options{ManagedBy: "slices.example.com"}
	var existing []*discoveryv1.EndpointSlice
	for i, o := range []service.Options{o, {ManagedBy: "other.example.com"}, {ManagedBy: o.ManagedBy, Key: map[string]string{"example.com/of": "web"}}} {
		in, err := service.Input(aService(withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol)), []*corev1.Pod{aPod(1)}, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		in.Set.NamePrefix = string(rune('a'+i)) + "-"
		existing = append(existing, planned(t, in).After()...)
	}
	for _, svc := range []*corev1.Service{aService(), aService(external), aService(unselected)} {
		plan, err := service.PlanRemoval(svc, existing, o)
		if err != nil {
			t.Fatal(err)
		}
		if s := plan.Stats(); s.Deletes != 2 || len(plan.Steps) != 2 || s.Ignored != 2 {
			t.Errorf("want the endpoints' slice and the placeholder deleted, and nothing else:\n%v", plan)
		}
	}
	if _, err := service.PlanRemoval(nil, existing, o); err == nil {
		t.Error("no Service is no mistake")
	}
	if _, err := service.PlanRemoval(aService(), existing, service.Options{}); err == nil || !strings.Contains(err.Error(), "options.managedBy") {
		t.Errorf("no manager: error %v", err)
	}
	o.Slices.MaxEndpointsPerSlice = -1
	if _, err := service.PlanRemoval(aService(), existing, o); err == nil {
		t.Error("options of the plan that are mistakes are none")
	}
}
