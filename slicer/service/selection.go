package service

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/slicer"
)

// Selection is what selects Pods without being a Service: an EndpointSelector (KEP-6116), a Backend of the Gateway API with a
// selector of its own (GEP-4894), an inference pool, any custom resource. It publishes what a Service with these ports would, on
// slices without the label kubernetes.io/service-name, which kube-proxy and cluster DNS do not read.
type Selection struct {
	// Parent is the metadata of the resource. Read are namespace and name, both required, and when it was created and deleted.
	Parent metav1.ObjectMeta
	// Owners go into Set.Owners: metav1.NewControllerRef of the resource, of whatever kind. nil and empty: none, so that nobody
	// deletes the slices when the resource is gone.
	Owners []metav1.OwnerReference
	// Selector selects Pods of the namespace. An empty one selects all; nil is an error.
	Selector *metav1.LabelSelector
	// Ports are read like those of a Service. nil and empty: slices without ports.
	Ports []corev1.ServicePort
	// PublishNotReady is publishNotReadyAddresses of a Service.
	PublishNotReady bool
	// TrafficDistribution is that of a Service; empty: none. Another value than a Service may have is an error.
	TrafficDistribution string
}

// PlanSelection is [Plan] for a Selection. Options.Key is required: labels that name the resource, such as
// "example.com/pool" with its name. Where Options.AddressTypes are empty, slices have the families of the Pods, and no Skip says
// that a Pod lacks one. Labels of slices are Options.Labels and the Key alone.
//
// Of the event functions [PodMatters], [NodeMatters] and [SliceMatters] serve a Selection as they serve a Service, and
// [Selection.Selects] is [Selects]. Errors have paths such as selection.ports[1].name.
func PlanSelection(
	s Selection, pods []*corev1.Pod, node func(name string) *corev1.Node, existing []*discoveryv1.EndpointSlice, o Options,
) (slicer.Plan, error) {
	if err := s.check(o); err != nil {
		return slicer.Plan{}, err
	}
	selector, err := metav1.LabelSelectorAsSelector(s.Selector)
	if err != nil {
		return slicer.Plan{}, field.Invalid(field.NewPath("selection", "selector"), s.Selector, err.Error())
	}
	o.AllowNoSelector = true
	d := pool.Get().(*derivation)
	defer pool.Put(d)
	plan, err := d.plan(s.service(), pods, existing, o, func() {
		d.selection, d.matcher = &s, selector
		d.readPods(pods, node)
	})
	return plan, renamed(err, ofService)
}

// Selects reports whether PlanSelection takes the Pod for one of the Selection's. nil, and a selector that is none: false.
func (s Selection) Selects(pod *corev1.Pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(s.Selector)
	return err == nil && pod != nil && pod.Namespace == s.Parent.Namespace && selector.Matches(labels.Set(pod.Labels))
}

// ofService are the fields of a Service that a Selection has by another name.
var ofService = []rename{
	{"service.spec.ports", "selection.ports"}, {"service.metadata.", "selection.parent."}, {"set.owners", "selection.owners"},
}

// service is the Service that publishes the same endpoints.
func (s *Selection) service() *corev1.Service {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.Parent.Namespace, Name: s.Parent.Name,
			CreationTimestamp: s.Parent.CreationTimestamp, DeletionTimestamp: s.Parent.DeletionTimestamp,
		},
		Spec: corev1.ServiceSpec{Ports: s.Ports, PublishNotReadyAddresses: s.PublishNotReady},
	}
	if s.TrafficDistribution != "" {
		svc.Spec.TrafficDistribution = &s.TrafficDistribution
	}
	return svc
}

// check returns what is wrong with what only a Selection has.
func (s *Selection) check(o Options) error {
	var m mistakes
	path := field.NewPath("selection")
	if s.Selector == nil {
		m.Add(field.Required(path.Child("selector"), "say which Pods: an empty selector selects all of the namespace"))
	}
	m.List(metav1validation.ValidateLabelSelector(s.Selector, metav1validation.LabelSelectorValidationOptions{}, path.Child("selector")))
	switch s.TrafficDistribution {
	case "", corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone,
		corev1.ServiceTrafficDistributionPreferSameNode:
	default:
		m.Add(field.NotSupported(path.Child("trafficDistribution"), s.TrafficDistribution, []string{
			corev1.ServiceTrafficDistributionPreferSameZone, corev1.ServiceTrafficDistributionPreferSameNode,
		}))
	}
	if len(o.Key) == 0 {
		m.Add(field.Required(field.NewPath("options", "key"),
			"give labels that name the resource and that no Service has, such as example.com/pool with its name"))
	} else if !accept.PlainLabels(o.Key) {
		m.List(metav1validation.ValidateLabels(o.Key, field.NewPath("options", "key")))
	}
	return m.Err()
}
