package services

import (
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Selection is an object other than a Service that selects Pods (KEP-6116, InferencePool).
type Selection struct {
	// Parent has the namespace, name, labels and timestamps of the object.
	Parent metav1.ObjectMeta
	// OwnerReferences are those of the slices.
	OwnerReferences []metav1.OwnerReference
	// Selector selects Pods. To select all Pods of the namespace, require DoesNotExist of a label
	// that no Pod has.
	Selector *metav1.LabelSelector
	// Ports are the ports of the slices, as in a Service.
	Ports []corev1.ServicePort
	// PublishNotReady and TrafficDistribution mean what they mean in a Service.
	PublishNotReady     bool
	TrafficDistribution string
}

// FromSelection returns the endpoints of a Selection. It requires Options.NameLabel. If
// Options.AddressTypes is empty, the slices have the types of the Pods' addresses. Give
// Options.Key to Remove if the object exists and is not published any more.
func FromSelection(s Selection, pods []*corev1.Pod, nodes Nodes, o Options) (slicer.Input, error) {
	d := derivation{service: s.service(), selection: &s, options: o}
	d.nodes.nodes = nodes
	in, err := d.derive(pods, nil)
	return in, withPaths(err)
}

// selectionPath translates a path of a Service to one of a Selection. Other paths stay as they are.
func selectionPath(of string) string {
	if rest, ok := strings.CutPrefix(of, "service.spec.ports"); ok {
		return "selection.ports" + rest
	}
	if rest, ok := strings.CutPrefix(of, "service.metadata."); ok {
		return "selection.parent." + rest
	}
	return of
}

// withPaths returns the error with the paths of a Selection. An error without a path stays as it is.
func withPaths(err error) error {
	switch e := err.(type) {
	case *field.Error:
		of := *e
		of.Field = selectionPath(e.Field)
		return &of
	case interface{ Unwrap() []error }:
		var all []error
		for _, err := range e.Unwrap() {
			all = append(all, withPaths(err))
		}
		return errors.Join(all...)
	default:
		return err
	}
}

// service returns a Service that publishes the same endpoints.
func (s *Selection) service() *corev1.Service {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.Parent.Namespace, Name: s.Parent.Name, UID: s.Parent.UID, Labels: s.Parent.Labels,
			CreationTimestamp: s.Parent.CreationTimestamp, DeletionTimestamp: s.Parent.DeletionTimestamp,
		},
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone, Ports: s.Ports, PublishNotReadyAddresses: s.PublishNotReady,
		},
	}
	if s.TrafficDistribution != "" {
		svc.Spec.TrafficDistribution = &s.TrafficDistribution
	}
	return svc
}

// selection checks the fields that only a Selection has.
func (m *mistakes) selection(s *Selection, o Options) {
	path := field.NewPath("selection")
	if s.Selector == nil || len(s.Selector.MatchLabels)+len(s.Selector.MatchExpressions) == 0 {
		m.Add(field.Required(path.Child("selector"),
			"say which Pods; for all of the namespace give an expression that each meets, such as DoesNotExist of a "+
				"label that none has"))
	}
	m.List(metav1validation.ValidateLabelSelector(s.Selector, metav1validation.LabelSelectorValidationOptions{},
		path.Child("selector")))
	if s.TrafficDistribution != "" && !slices.Contains(distributions, s.TrafficDistribution) {
		m.Add(field.NotSupported(path.Child("trafficDistribution"), s.TrafficDistribution, distributions))
	}
	if o.NameLabel == "" {
		m.Add(field.Required(field.NewPath("options", "nameLabel"),
			"give a label of your own that says what the resource is, such as example.com/pool"))
	}
}
