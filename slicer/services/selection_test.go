package services_test

import (
	"encoding/json"
	"fmt"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/internal/test/scenario"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// aSelection returns the Selection of shop/pool, a resource of this kind, which owns its slices.
// Its selector is empty.
func aSelection(kind string) *services.Selection {
	parent := metav1.ObjectMeta{Namespace: "shop", Name: "pool", UID: "7", CreationTimestamp: at(100)}
	return &services.Selection{
		Parent: parent, Selector: &metav1.LabelSelector{},
		Owners: []metav1.OwnerReference{*metav1.NewControllerRef(&parent,
			schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: kind})},
	}
}

var selectionWords = map[string]func(s *services.Selection, key, value string){
	"match": func(s *services.Selection, key, value string) { metav1.AddLabelToSelector(s.Selector, key, value) },
	"in":    func(s *services.Selection, key, value string) { require(s, key, metav1.LabelSelectorOpIn, list(value)) },
	"not-in": func(s *services.Selection, key, value string) {
		require(s, key, metav1.LabelSelectorOpNotIn, list(value))
	},
	"exists":              func(s *services.Selection, key, _ string) { require(s, key, metav1.LabelSelectorOpExists, nil) },
	"unknown-operator":    func(s *services.Selection, key, _ string) { require(s, key, "Like", nil) },
	"no-selector":         func(s *services.Selection, _, _ string) { s.Selector = nil },
	"name":                func(s *services.Selection, _, value string) { s.Parent.Name = value },
	"namespace":           func(s *services.Selection, _, value string) { s.Parent.Namespace = value },
	"owner-kind":          func(s *services.Selection, _, value string) { s.Owners[0].Kind = value },
	"owner-uid":           func(s *services.Selection, _, value string) { s.Owners[0].UID = types.UID(value) },
	"deleting":            func(s *services.Selection, _, _ string) { s.Parent.DeletionTimestamp = &metav1.Time{} },
	"ports":               func(s *services.Selection, _, value string) { s.Ports = parsePorts(value) },
	"publish-not-ready":   func(s *services.Selection, _, _ string) { s.PublishNotReady = true },
	"trafficDistribution": func(s *services.Selection, _, value string) { s.TrafficDistribution = value },
}

func require(s *services.Selection, key string, operator metav1.LabelSelectorOperator, values []string) {
	s.Selector.MatchExpressions = append(s.Selector.MatchExpressions,
		metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: values})
}

// metadata prints labels and owners of slices.
func metadata(slices []*discoveryv1.EndpointSlice) (text string) {
	for _, s := range slices {
		labels, _ := json.Marshal(s.Labels)
		text += fmt.Sprintf("%s %s", s.Name, labels)
		for _, owner := range s.OwnerReferences {
			text += fmt.Sprintf(" %s %s %s uid %s controller %v", owner.APIVersion, owner.Kind, owner.Name, owner.UID,
				*owner.Controller)
		}
		text += "\n"
	}
	return text
}

// TestSelectionLikeService: a Selection publishes what a Service that selects the same Pods does,
// to the byte. Where nobody asked for a family it has no placeholders.
func TestSelectionLikeService(t *testing.T) { rapid.Check(t, selectionLikeService) }

func selectionLikeService(t *rapid.T) {
	w := drawWorld(t)
	s := services.Selection{
		Parent: w.service.ObjectMeta, Ports: w.service.Spec.Ports,
		PublishNotReady: w.service.Spec.PublishNotReadyAddresses,
		TrafficDistribution: rapid.SampledFrom([]string{"", "PreferClose", "PreferSameZone", "PreferSameNode"}).Draw(t,
			"distribution"),
		Selector: &metav1.LabelSelector{},
	}
	if s.TrafficDistribution != "" {
		w.service.Spec.TrafficDistribution = &s.TrafficDistribution
	}
	words := rapid.SampledFrom([][]string{{"match:app=web"}, {"in:app=web,shop"},
		{"not-in:app=db", "exists:app"}}).Draw(t, "selector")
	if err := scenario.Words(&s, words, selectionWords); err != nil {
		t.Fatal(err)
	}
	o := w.options
	o.KeyLabel, o.Slices.MaxEndpointsPerSlice = "example.com/pool", 2
	of, err := services.BackendsInput(w.service, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	asked := len(of.Set.AddressTypes) == 1 || rapid.Bool().Draw(t, "asked for both families")
	if asked {
		o.AddressTypes = of.Set.AddressTypes
	}
	want, wantErr := services.Plan(w.service, w.pods, w.node, nil, o)
	given := []any{s, w.pods}
	before := jsonText(given...)
	got, err := services.PlanSelection(s, w.pods, w.node, nil, o)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || published(got, asked) != published(want, asked) {
		t.Fatalf("error %v\n%s\nof the Service\n%s", err, published(got, asked), published(want, asked))
	}
	if jsonText(given...) != before {
		t.Fatal("the call changed what it was given")
	}
	if a, b, shared := memory.Shared(memory.Value{Owner: "the plan", Of: &got},
		memory.Value{Owner: "the call", Of: &given}); shared {
		t.Fatalf("%s and %s share memory", a, b)
	}
	for _, pod := range w.pods {
		if s.Selects(pod) != services.Selects(w.service, pod) {
			t.Fatalf("Pod %s is selected by one of both", pod.Name)
		}
	}
}

// published is what the slices of a plan hold, and the Skips; without placeholders and missing
// families, unless these were asked for, and without lost hostnames, because a Selection has no DNS
// names.
func published(plan slicer.Plan, asked bool) string {
	var all []any
	for _, s := range plan.After() {
		if asked || len(s.Endpoints) > 0 {
			all = append(all, s.Name, s.Annotations, s.AddressType, s.Ports, s.Endpoints)
		}
	}
	var skips []slicer.Skip
	for _, skip := range plan.Skips {
		if (asked || skip.Reason != services.NoAddressOfType) && skip.Reason != services.HostnameLeftOut {
			skips = append(skips, skip)
		}
	}
	text, err := json.Marshal(all)
	return fmt.Sprint(string(text), err, skipTexts(skips))
}
