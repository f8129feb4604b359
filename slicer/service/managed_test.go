package service_test

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/google/go-cmp/cmp"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
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

// TestHintsFollowTheService: what the Service asks for counts where the options leave it open.
func TestHintsFollowTheService(t *testing.T) {
	topology := func(svc *corev1.Service) {
		svc.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"}
	}
	near := func(svc *corev1.Service) {
		svc.Spec.TrafficDistribution = ptr(corev1.ServiceTrafficDistributionPreferClose)
	}
	for _, row := range []struct {
		why     string
		service *corev1.Service
		slices  slicer.Options
		none    bool
		want    hints.Mode
	}{
		{"a Service that asks for nothing gets nothing", aService(), slicer.Options{}, false, hints.None},
		{"trafficDistribution", aService(near), slicer.Options{}, false, hints.SameZone},
		{"topology mode", aService(topology), slicer.Options{}, false, hints.Proportional},
		{"another mode wins", aService(topology), slicer.Options{Hints: hints.Options{Mode: hints.SameNode}}, false, hints.SameNode},
		{"NoHints", aService(near), slicer.Options{}, true, hints.None},
		{"NoHints wins over a mode", aService(), slicer.Options{Hints: hints.Options{Mode: hints.SameNode}}, true, hints.None},
	} {
		o := service.Options{ManagedBy: manager, Slices: row.slices, NoHints: row.none}
		in, err := service.Input(row.service, []*corev1.Pod{aPod(1)}, nodes, o)
		if err != nil || in.Options.Hints.Mode != row.want {
			t.Errorf("%v %v, want %v: %s", in.Options.Hints.Mode, err, row.want, row.why)
		}
		plan, err := service.Plan(row.service, []*corev1.Pod{aPod(1)}, nodes, nil, o)
		if err != nil || len(plan.Hints) != 1 || plan.Hints[0].Mode != row.want {
			t.Errorf("%v %v, want %v: %s", plan.Hints, err, row.want, row.why)
		}
	}
	plan, err := service.Plan(aService(topology), []*corev1.Pod{aPod(1)}, nodes, nil, service.Options{ManagedBy: manager})
	if err != nil || plan.Steps[0].New.Endpoints[0].Hints != nil || plan.Hints[0].Reason != hints.NoWeights {
		t.Errorf("topology mode without weights: %v %v", err, plan.Hints)
	}
}

// TestMetadataOptions: labels of the options go over the Service's, Key and ManagedBy over both, and the reserved ones are errors.
func TestMetadataOptions(t *testing.T) {
	svc := aService(func(svc *corev1.Service) { svc.Labels = map[string]string{"team": "a", "app": "web"} })
	o := service.Options{
		ManagedBy: manager, Key: map[string]string{"network": "blue"}, NamePrefix: "blue-",
		Labels: map[string]string{"team": "b", "network": "red"}, Annotations: map[string]string{"a": "b"},
	}
	plan, err := service.Plan(svc, []*corev1.Pod{aPod(1)}, nil, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	s := plan.Steps[0].New
	want := map[string]string{"team": "b", "app": "web", "network": "blue", discoveryv1.LabelManagedBy: manager}
	if d := cmp.Diff(want, s.Labels); d != "" || s.Annotations["a"] != "b" || !strings.HasPrefix(s.Name, "blue-") {
		t.Errorf("name %s, annotations %v, labels (-want +got):\n%s", s.Name, s.Annotations, d)
	}
	for path, o := range map[string]service.Options{
		"options.labels[kubernetes.io/service-name]":             {Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		"options.labels[endpointslice.kubernetes.io/managed-by]": {Labels: map[string]string{discoveryv1.LabelManagedBy: manager}},
		"options.labels[service.kubernetes.io/headless]":         {Labels: map[string]string{corev1.IsHeadlessService: ""}},
		"options.labels":      {Labels: map[string]string{"two words": ""}},
		"options.annotations": {Annotations: map[string]string{"two words": ""}},
		"options.annotations[endpoints.kubernetes.io/last-change-trigger-time]": {Annotations: map[string]string{corev1.EndpointsLastChangeTriggerTime: ""}},
	} {
		o.ManagedBy = manager
		_, err := service.Plan(svc, nil, nil, nil, o)
		var wrong *field.Error
		if !errors.As(err, &wrong) || wrong.Field != path {
			t.Errorf("error %v, want one of %s", err, path)
		}
	}
}
