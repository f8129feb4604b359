package services_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer/services"
)

// serviceEdits are changes of a Service, and whether they matter.
var serviceEdits = []struct {
	what    string
	matters bool
	edit    func(*corev1.Service)
}{
	{"namespace", true, func(s *corev1.Service) { s.Namespace = "bank" }},
	{"name", true, func(s *corev1.Service) { s.Name = "db" }},
	{"UID", true, func(s *corev1.Service) { s.UID = "again" }},
	{"labels", true, func(s *corev1.Service) { s.Labels = map[string]string{"tier": "front"} }},
	{"creation", true, func(s *corev1.Service) { s.CreationTimestamp = at(5) }},
	{"deletion", true, func(s *corev1.Service) { deletion := at(5); s.DeletionTimestamp = &deletion }},
	{"type", true, external},
	{"selector", true, func(s *corev1.Service) { s.Spec.Selector = map[string]string{"app": "db"} }},
	{"no selector", true, unselected},
	{"ports", true, func(s *corev1.Service) { s.Spec.Ports = nil }},
	{"ports' targets", true, eachPort(func(p *corev1.ServicePort) { p.TargetPort = intstr.FromInt32(9090) })},
	{"ports' numbers", true, eachPort(func(p *corev1.ServicePort) { p.Port = 90 })},
	{"ports' application protocols", true, eachPort(func(p *corev1.ServicePort) { p.AppProtocol = ptr("h2c") })},
	{"cluster IP", true, func(s *corev1.Service) { s.Spec.ClusterIP = "fd00::7" }},
	{"cluster IPs", true, func(s *corev1.Service) { s.Spec.ClusterIPs = []string{"10.96.0.1", "fd00::7"} }},
	{"headless", true, headless},
	{"families", true, withFamilies(corev1.IPv6Protocol)},
	{"no families", true, withFamilies()},
	{"publishNotReadyAddresses", true, func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = !s.Spec.PublishNotReadyAddresses }},
	{"traffic distribution", true, func(s *corev1.Service) {
		s.Spec.TrafficDistribution = ptr(corev1.ServiceTrafficDistributionPreferClose)
	}},
	{"misspelt traffic distribution", true, func(s *corev1.Service) { s.Spec.TrafficDistribution = ptr("PreferZone") }},
	{"topology mode", true, func(s *corev1.Service) { s.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"} }},
	{"misspelt topology mode", true, func(s *corev1.Service) { s.Annotations = map[string]string{corev1.AnnotationTopologyMode: "AUTO"} }},

	{"resourceVersion", false, func(s *corev1.Service) { s.ResourceVersion = "9" }},
	{"managedFields", false, func(s *corev1.Service) { s.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl"}} }},
	{"another annotation", false, func(s *corev1.Service) { metav1.SetMetaDataAnnotation(&s.ObjectMeta, "note", "x") }},
	{"node port", false, eachPort(func(p *corev1.ServicePort) { p.NodePort = 30080 })},
	{"load balancer", false, func(s *corev1.Service) {
		s.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: "192.0.2.1"}}
		s.Spec.ExternalIPs = []string{"192.0.2.2"}
	}},
	{"policies", false, func(s *corev1.Service) {
		s.Spec.SessionAffinity, s.Spec.InternalTrafficPolicy = "ClientIP", ptr(corev1.ServiceInternalTrafficPolicyLocal)
	}},
}

// eachPort changes each port and nothing else, so that no other change hides it.
func eachPort(edit func(*corev1.ServicePort)) func(*corev1.Service) {
	return func(s *corev1.Service) {
		for i := range s.Spec.Ports {
			edit(&s.Spec.Ports[i])
		}
	}
}

// TestServiceChanged: if ServiceChanged says no, plans with the old and the new Service are equal,
// and it does so for what no plan shows.
func TestServiceChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawPublished(t)
		old, before := w.service, w.text()
		for _, e := range serviceEdits {
			new := old.DeepCopy()
			e.edit(new)
			if w.service = new; services.ServiceChanged(old, new) {
				if !e.matters {
					t.Fatalf("%s matters", e.what)
				}
				continue
			}
			if d := cmp.Diff(before, w.text()); d != "" {
				t.Fatalf("%s: ServiceChanged is false, and the plan differs:\n%s", e.what, d)
			}
		}
	})
}

// TestSliceChanged: a change of our slices matters, and so do labels that are lost or gained;
// others' slices do not.
func TestSliceChanged(t *testing.T) {
	of := services.Options{ManagedBy: manager, NameLabel: "example.com/of"}
	plan, err := world{service: aService(), pods: []*corev1.Pod{aPod(1)}, nodes: nodes, options: of}.plan()
	if err != nil {
		t.Fatal(err)
	}
	managedBy := func(name string) func(*discoveryv1.EndpointSlice) {
		return func(s *discoveryv1.EndpointSlice) { s.Labels[discoveryv1.LabelManagedBy] = name }
	}
	for _, row := range []struct {
		what string
		o    services.Options
		edit func(*discoveryv1.EndpointSlice)
		want bool
	}{
		{"annotations", of, func(s *discoveryv1.EndpointSlice) { s.Annotations = map[string]string{"a": "b"} }, true},
		{"lost managed-by", of, managedBy("other"), true},
		{"lost the name label", of, func(s *discoveryv1.EndpointSlice) { delete(s.Labels, "example.com/of") }, true},
		{"another Service's now", of, func(s *discoveryv1.EndpointSlice) { s.Labels["example.com/of"] = "db" }, true},
		{"resourceVersion and managedFields", of, func(s *discoveryv1.EndpointSlice) {
			s.ResourceVersion, s.ManagedFields = "9", []metav1.ManagedFieldsEntry{{Manager: manager}}
		}, false},
		{"another manager's", services.Options{ManagedBy: "other"}, func(s *discoveryv1.EndpointSlice) { s.Endpoints = nil }, false},
		{"another name label's", services.Options{ManagedBy: manager, NameLabel: "example.com/to"},
			func(s *discoveryv1.EndpointSlice) { s.Endpoints = nil }, false},
	} {
		old := plan.Steps[0].New
		new := old.DeepCopy()
		row.edit(new)
		if services.SliceChanged(old, new, row.o) != row.want || services.SliceChanged(new, old, row.o) != row.want {
			t.Errorf("%s: want %v", row.what, row.want)
		}
	}
}
