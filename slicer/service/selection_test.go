package service_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// TestSelectionLikeService: a Selection publishes the endpoints and ports of a Service that selects the same Pods, to the byte.
// `go test ./slicer/service -run TestSelectionLikeService -rapid.checks=100000` draws more.
func TestSelectionLikeService(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawServiceWorld(t)
		o := w.options
		o.Key = map[string]string{"example.com/pool": "web"}
		for _, family := range twinFamilies(w.service) {
			o.AddressTypes = append(o.AddressTypes, discoveryv1.AddressType(family))
		}
		want, err := service.Plan(w.service, w.pods, w.node(), nil, o)
		if err != nil {
			t.Fatal(err)
		}
		s := service.Selection{Parent: w.service.ObjectMeta, Ports: w.service.Spec.Ports, PublishNotReady: w.service.Spec.PublishNotReadyAddresses}
		if rapid.Bool().Draw(t, "expressions") {
			s.Selector = &metav1.LabelSelector{}
			for name, value := range w.service.Spec.Selector {
				s.Selector.MatchExpressions = append(s.Selector.MatchExpressions,
					metav1.LabelSelectorRequirement{Key: name, Operator: metav1.LabelSelectorOpIn, Values: []string{value, "other"}})
			}
		} else {
			s.Selector = &metav1.LabelSelector{MatchLabels: w.service.Spec.Selector}
		}
		have, err := service.PlanSelection(s, w.pods, w.node(), nil, o)
		if err != nil || published(have) != published(want) {
			t.Fatalf("error %v\n%s\nof the Service\n%s", err, published(have), published(want))
		}
		for _, pod := range w.pods {
			if s.Selects(pod) != service.Selects(w.service, pod, o) {
				t.Fatalf("Pod %s is selected by one of both", pod.Name)
			}
		}
	})
}

// published is address types, ports and endpoints of all slices, and the Skips.
func published(plan slicer.Plan) string {
	var all []any
	for _, s := range plan.After() {
		all = append(all, s.AddressType, s.Ports, s.Endpoints)
	}
	text, err := json.Marshal(all)
	return fmt.Sprint(string(text), err, skipTexts(plan.Skips))
}

// TestSelections: what is written for the four kinds of resources that select Pods without a Service.
func TestSelections(t *testing.T) {
	dual := withIPs("10.0.0.1", "fd00::1")
	number := func(n int) corev1.ServicePort { return corev1.ServicePort{Name: fmt.Sprint("p", n), Port: int32(n)} }
	in := func(values ...string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpIn, Values: values}}}
	}
	for _, row := range []struct {
		group, kind string
		selection   service.Selection
		types       []discoveryv1.AddressType
		pod         *corev1.Pod
		want        string
	}{
		{
			"discovery.k8s.io", "EndpointSelector", service.Selection{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Ports: []corev1.ServicePort{{Port: 80}}}, nil, aPod(1),
			"IPv4 80 10.0.0.1",
		},
		{
			"gateway.networking.k8s.io", "Backend", service.Selection{Selector: in("web", "shop"), Ports: []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromString("http")}}}, nil,
			aPod(1, declares(corev1.ContainerPort{Name: "http", ContainerPort: 8080})),
			"IPv4 8080 10.0.0.1",
		},
		{
			"inference.networking.k8s.io", "InferencePool", service.Selection{Selector: in("web"), PublishNotReady: true, Ports: []corev1.ServicePort{number(8000), number(8001), number(8002)}}, nil, aPod(1, unready),
			"IPv4 8000,8001,8002 10.0.0.1",
		},
		{
			"example.com", "Cluster", service.Selection{Selector: &metav1.LabelSelector{}, TrafficDistribution: "PreferSameZone"}, []discoveryv1.AddressType{"IPv6", "IPv4"}, aPod(1, dual),
			"IPv4  10.0.0.1 for z1; IPv6  fd00::1 for z1",
		},
	} {
		t.Run(row.kind, func(t *testing.T) {
			s := row.selection
			s.Parent = metav1.ObjectMeta{Namespace: "shop", Name: "pool", UID: "7"}
			s.Owners = []metav1.OwnerReference{*metav1.NewControllerRef(&s.Parent, schema.GroupVersionKind{Group: row.group, Version: "v1", Kind: row.kind})}
			o := service.Options{ManagedBy: manager, Key: map[string]string{"example.com/pool": "pool"}, AddressTypes: row.types}
			plan, err := service.PlanSelection(s, []*corev1.Pod{row.pod}, nodes, nil, o)
			if err != nil || plan.Skips != nil {
				t.Fatal(err, plan.Skips)
			}
			var have []string
			for _, slice := range plan.After() {
				if owner := slice.OwnerReferences[0]; owner.Kind != row.kind || !*owner.Controller || len(slice.OwnerReferences) > 1 {
					t.Errorf("owner %v", slice.OwnerReferences)
				}
				if len(slice.Labels) != 2 || slice.Labels["example.com/pool"] != "pool" || slice.Labels[discoveryv1.LabelManagedBy] != manager {
					t.Errorf("labels %v", slice.Labels)
				}
				var ports []string
				for _, p := range slice.Ports {
					ports = append(ports, fmt.Sprint(*p.Port))
				}
				text := fmt.Sprint(slice.AddressType, " ", strings.Join(ports, ","), " ", slice.Endpoints[0].Addresses[0])
				if h := slice.Endpoints[0].Hints; h != nil {
					text += " for " + h.ForZones[0].Name
				}
				if !*slice.Endpoints[0].Conditions.Ready {
					text += ", not ready"
				}
				have = append(have, text)
			}
			if got := strings.Join(have, "; "); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
			if plan, err = service.PlanSelection(s, nil, nodes, nil, o); err != nil || len(plan.Steps) != len(row.types) {
				t.Errorf("without Pods there is a placeholder for each family that was asked for: %v\n%v", err, plan)
			}
		})
	}
}

// TestSelectionMistakes: the error names the field of the Selection.
func TestSelectionMistakes(t *testing.T) {
	for path, edit := range map[string]func(*service.Selection, *service.Options){
		"selection.selector":                     func(s *service.Selection, _ *service.Options) { s.Selector = nil },
		"selection.selector.matchExpressions[0]": func(s *service.Selection, _ *service.Options) { s.Selector.MatchExpressions[0].Operator = "?" },
		"selection.trafficDistribution":          func(s *service.Selection, _ *service.Options) { s.TrafficDistribution = "PreferZone" },
		"selection.ports[0].port":                func(s *service.Selection, _ *service.Options) { s.Ports[0].Port = 0 },
		"selection.parent.name":                  func(s *service.Selection, _ *service.Options) { s.Parent.Name = "" },
		"selection.owners[0].kind":               func(s *service.Selection, _ *service.Options) { s.Owners[0].Kind = "" },
		"options.key":                            func(_ *service.Selection, o *service.Options) { o.Key = nil },
		"options.managedBy":                      func(_ *service.Selection, o *service.Options) { o.ManagedBy = "" },
	} {
		s := service.Selection{
			Parent: metav1.ObjectMeta{Namespace: "shop", Name: "pool"}, Ports: []corev1.ServicePort{{Port: 80}},
			Owners:   []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pool", Name: "pool", UID: "7"}},
			Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpExists}}},
		}
		o := service.Options{ManagedBy: manager, Key: map[string]string{"example.com/pool": "pool"}}
		edit(&s, &o)
		if plan, err := service.PlanSelection(s, nil, nil, nil, o); err == nil || !strings.HasPrefix(err.Error(), path) || !plan.Empty() {
			t.Errorf("%s: error %v", path, err)
		}
	}
}
