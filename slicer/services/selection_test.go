package services_test

import (
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/slicer/services"
)

// aSelection returns the Selection of shop/pool, a resource of this kind, which owns its slices.
// Its selector is empty.
func aSelection(kind string) *services.Selection {
	parent := metav1.ObjectMeta{Namespace: "shop", Name: "pool", UID: "7", CreationTimestamp: at(100)}
	return &services.Selection{
		Parent: parent, Selector: &metav1.LabelSelector{},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(&parent,
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
	"owner-kind":          func(s *services.Selection, _, value string) { s.OwnerReferences[0].Kind = value },
	"owner-uid":           func(s *services.Selection, _, value string) { s.OwnerReferences[0].UID = types.UID(value) },
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

// annotated reads a Pod's address from an annotation; "{" is an error. It uses its memory again, as
// a caller's function may.
func annotated(pod *corev1.Pod) ([]string, error) {
	switch ip := pod.Annotations["net2"]; ip {
	case "":
		return nil, nil
	case "{":
		return nil, errors.New("the status of net2 ends too soon")
	default:
		annotation[0] = ip
		return annotation, nil
	}
}

var annotation = make([]string, 1)

func annotate(name, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { metav1.SetMetaDataAnnotation(&p.ObjectMeta, name, value) }
}
