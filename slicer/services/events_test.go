package services_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// podEdit is a change of a Pod.
type podEdit struct {
	what string
	edit func(*corev1.Pod)
}

func inPhase(phase corev1.PodPhase) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Status.Phase = phase }
}

func setReady(status corev1.ConditionStatus, since int64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.Conditions = slices.DeleteFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady
		})
		p.Status.Conditions = append(p.Status.Conditions,
			corev1.PodCondition{Type: corev1.PodReady, Status: status, LastTransitionTime: at(since)})
	}
}

// mattering are changes of a Pod that some plan shows.
var mattering = []podEdit{
	{what: "namespace", edit: func(p *corev1.Pod) { p.Namespace = "bank" }},
	{what: "name", edit: func(p *corev1.Pod) { p.Name = "other" }},
	{what: "UID", edit: func(p *corev1.Pod) { p.UID = "other" }},
	{what: "labels", edit: func(p *corev1.Pod) { p.Labels = map[string]string{"app": "db"} }},
	{what: "zone label", edit: func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web", corev1.LabelTopologyZone: "z"} }},
	{what: "deletion", edit: deleting},
	{what: "Failed", edit: inPhase(corev1.PodFailed)},
	{what: "Succeeded", edit: inPhase(corev1.PodSucceeded)},
	{what: "no more finished", edit: inPhase(corev1.PodRunning)},
	{what: "readiness", edit: setReady(corev1.ConditionFalse, 0)},
	{what: "time of readiness", edit: setReady(corev1.ConditionTrue, 700)},
	{what: "nodeName", edit: func(p *corev1.Pod) { p.Spec.NodeName = "n2" }},
	{what: "hostname", edit: func(p *corev1.Pod) { p.Spec.Hostname = "h2" }},
	{what: "subdomain", edit: func(p *corev1.Pod) { p.Spec.Subdomain = "web" }},
	{what: "podIPs", edit: withIPs("10.0.0.7")},
	{what: "podIP alone", edit: func(p *corev1.Pod) { p.Status.PodIPs, p.Status.PodIP = nil, "10.0.0.8" }},
	{what: "container port", edit: declares(containerPort("a", 8080))},
	{what: "sidecar port", edit: declaresInit(restart(corev1.ContainerRestartPolicyAlways), containerPort("a", 9090))},
}

// idle are changes of a Pod that no plan shows.
var idle = []podEdit{
	{what: "resourceVersion", edit: func(p *corev1.Pod) { p.ResourceVersion = "8" }},
	{what: "managedFields", edit: func(p *corev1.Pod) { p.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet"}} }},
	{what: "annotations", edit: annotate("other", "x")},
	{what: "another condition", edit: func(p *corev1.Pod) {
		p.Status.Conditions = append([]corev1.PodCondition{{Type: "ContainersReady", Status: "True",
			LastTransitionTime: at(9)}}, p.Status.Conditions...)
	}},
	{what: "probe time of Ready", edit: func(p *corev1.Pod) {
		for i := range p.Status.Conditions {
			p.Status.Conditions[i].LastProbeTime, p.Status.Conditions[i].Message = at(9), "again"
		}
	}},
	{what: "container statuses", edit: func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", RestartCount: 1}}
	}},
	{what: "init container that ends", edit: declaresInit(nil, containerPort("a", 7070))},
	{what: "image", edit: func(p *corev1.Pod) { p.Spec.EphemeralContainers = []corev1.EphemeralContainer{{}} }},
	{what: "podIP beside podIPs", edit: func(p *corev1.Pod) {
		if len(p.Status.PodIPs) > 0 {
			p.Status.PodIP = "10.9.9.9"
		}
	}},
	{what: "later deletion", edit: func(p *corev1.Pod) {
		if p.DeletionTimestamp != nil {
			later := at(99)
			p.DeletionTimestamp = &later
		}
	}},
	{what: "Pending or Running", edit: func(p *corev1.Pod) {
		switch p.Status.Phase {
		case corev1.PodPending:
			p.Status.Phase = corev1.PodRunning
		case corev1.PodRunning:
			p.Status.Phase = corev1.PodPending
		}
	}},
	{what: "of a finished Pod the rest", edit: func(p *corev1.Pod) {
		if p.Status.Phase == corev1.PodFailed {
			p.Spec.NodeName, p.Status.Conditions = "n2", nil
		}
	}},
}

// TestMattersOfNil: what was added or deleted matters, what never was does not.
func TestMattersOfNil(t *testing.T) {
	pod, svc, node, o := aPod(1), aService(), aNode("n1", "z1"), kubernetes
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{
			discoveryv1.LabelManagedBy: manager, discoveryv1.LabelServiceName: "web",
		}},
	}
	for name, got := range map[string][4]bool{
		"PodChanged": {services.PodChanged(nil, pod, o), services.PodChanged(pod, nil, o), services.PodChanged(nil, nil, o), services.PodChanged(pod, pod, o)},
		"ServiceChanged": {services.ServiceChanged(nil, svc), services.ServiceChanged(svc, nil),
			services.ServiceChanged(nil, nil),
			services.ServiceChanged(svc, svc)},
		"NodeChanged": {services.NodeChanged(nil, node), services.NodeChanged(node, nil), services.NodeChanged(nil, nil), services.NodeChanged(node, node)},
		"SliceChanged": {services.SliceChanged(nil, slice, o), services.SliceChanged(slice, nil, o),
			services.SliceChanged(nil, nil, o),
			services.SliceChanged(slice, slice, o)},
	} {
		if got != [4]bool{true, true, false, false} {
			t.Errorf("%s of added, deleted, neither and unchanged: %v", name, got)
		}
	}
}

// text is all that a plan says.
func (w world) text() string {
	plan, err := w.plan()
	for i := range plan.Steps {
		plan.Steps[i].Old = nil
	}
	return jsonText(plan.Steps, plan.Hints) + fmt.Sprint(plan, plan.Retry, err)
}

// TestPodChanged: if PodChanged says no, plans with the old and the new Pod are equal, and it does
// so for what kubelets write all the time.
func TestPodChanged(t *testing.T) {
	net2 := []podEdit{{edit: annotate("net2", "172.16.0.1")}, {edit: annotate("net2", "172.16.0.2")},
		{edit: annotate("net2", "{")}}
	edits := slices.Concat(idle, mattering, net2, []podEdit{
		{edit: unnamed}, {edit: declares(containerPort("http", 9090))}, {edit: declares(containerPort("b", 8080))},
	})
	rapid.Check(t, func(t *rapid.T) {
		w := drawPublished(t)
		if len(w.pods) == 0 {
			return
		}
		i := rapid.IntRange(0, len(w.pods)-1).Draw(t, "Pod")
		others := rapid.SliceOfN(rapid.SampledFrom(idle), 0, 2).Draw(t, "others")
		earlier := edits
		if w.options.Addresses != nil {
			earlier = net2
		}
		old := w.pods[i].DeepCopy()
		rapid.SampledFrom(earlier).Draw(t, "earlier").edit(old)
		w.pods = slices.Clone(w.pods)
		w.pods[i] = old
		before := w.text()
		for n, e := range edits {
			new := old.DeepCopy()
			for _, e := range append([]podEdit{e}, others...) {
				e.edit(new)
			}
			if w.pods[i] = new; services.PodChanged(old, new, w.options) {
				if n < len(idle) {
					t.Fatalf("%s matters", e.what)
				}
				continue
			}
			if d := cmp.Diff(before, w.text()); d != "" {
				t.Fatalf("%s: PodChanged is false, and the plan differs:\n%s", e.what, d)
			}
		}
	})
}

// unnamed takes the names from all ports.
func unnamed(p *corev1.Pod) {
	for i := range p.Spec.Containers {
		for j := range p.Spec.Containers[i].Ports {
			p.Spec.Containers[i].Ports[j].Name = ""
		}
	}
}

// TestSelects: what Selects refuses is none of the Service's, and what it takes is.
func TestSelects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawPublished(t)
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			external(w.service)
		case 1:
			unselected(w.service)
		}
		for _, pod := range w.pods {
			pod.Namespace = w.service.Namespace // else a list of this Pod alone is a mistake
			in, err := services.FromPods(w.service, []*corev1.Pod{pod}, w.nodes, w.options)
			shown := err == nil && !in.Unmanaged && len(in.Groups)+len(in.Normal) > 0 ||
				slices.ContainsFunc(in.Warnings, func(n slicer.Notice) bool { return n.Object.Kind == "Pod" })
			if got := services.Selects(w.service, pod); got != shown {
				t.Fatalf("Selects is %v, and Input has %v, %v", got, in, err)
			}
		}
	})
	if services.Selects(nil, aPod(1)) || services.Selects(aService(), nil) {
		t.Error("nothing selects, or is selected")
	}
}

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
