package services

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
)

// Selection is what selects Pods without being a Service: an EndpointSelector (KEP-6116), a Backend
// of the Gateway API with a selector of its own (GEP-4894), an inference pool, any custom resource.
// Its slices hold the endpoints that a Service of the same name with these Pods and ports would
// have. They do not have the labels kubernetes.io/service-name and headless, so kube-proxy and
// cluster DNS ignore them.
type Selection struct {
	// Parent is the metadata of the resource. Read are namespace and name, both required, and when
	// it was created and deleted.
	Parent metav1.ObjectMeta
	// Owners go into Set.Owners, such as metav1.NewControllerRef of the resource. nil and empty:
	// none, so that nobody deletes the slices when the resource is gone.
	Owners []metav1.OwnerReference
	// Selector selects Pods of the namespace. nil and empty are an error, because one that was
	// forgotten would publish all Pods; who wants them all gives an expression that each Pod meets,
	// such as DoesNotExist of a label that none has.
	Selector *metav1.LabelSelector
	// Ports are read like those of a Service; without TargetPort, Port is the number on the Pods.
	// Each of several needs a name of its own. nil and empty: slices without ports, for readers
	// that know the port.
	Ports []corev1.ServicePort
	// PublishNotReady is publishNotReadyAddresses of a Service.
	PublishNotReady bool
	// TrafficDistribution is that of a Service; empty: none. A value that a Service may not have is
	// an error.
	TrafficDistribution string
}

// PlanSelection is [Plan] for a Selection. Options.KeyLabel is required, because its default is a
// Service's label: give a label that says what the resource is, such as "example.com/pool". Where
// Options.AddressTypes are empty, slices have the families of the Pods: no Skip says that a Pod
// lacks a family, and there is no placeholder before the first endpoint. The KeyLabel, ManagedBy
// and Options.Labels are all labels of the slices. Without Pods and with
// Options.Slices.NoPlaceholder it plans the deletion of all slices.
//
// [PodMatters], [NodeMatters] and [SliceMatters] serve a Selection as they serve a Service, and
// [Selection.Selects] says whom to sync. Equal Selections give equal plans.
// examples/programs/reconciler/selection_test.go is a whole Reconcile. Mistakes are *field.Errors
// with paths such as selection.ports[1].name; none is ErrNotManaged.
func PlanSelection(
	s Selection, pods []*corev1.Pod, node func(name string) *corev1.Node, existing []*discoveryv1.EndpointSlice,
	o Options,
) (slicer.Plan, error) {
	d := pool.Get().(*derivation)
	defer pool.Put(d)
	plan, err := d.plan(subject{service: s.service(), selection: &s}, pods, existing, o, func() {
		d.readPods(pods, node)
	})
	return plan, renamed(err, ofService.path)
}

// Selects reports whether the Pod is in the Selection's namespace and its selector matches. nil for
// either, and a selector that is empty or wrong: false.
func (s Selection) Selects(pod *corev1.Pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(s.Selector)
	return err == nil && !s.selectsNone() && pod != nil && pod.Namespace == s.Parent.Namespace &&
		selector.Matches(labels.Set(pod.Labels))
}

// selectsNone reports whether the selector was left out.
func (s *Selection) selectsNone() bool {
	return s.Selector == nil || len(s.Selector.MatchLabels)+len(s.Selector.MatchExpressions) == 0
}

// ofService are the fields of a Service that a Selection has by another name.
var ofService = renames{
	{"service.spec.ports", "selection.ports"}, {"service.metadata.", "selection.parent."},
}

// service is the Service that publishes the same endpoints.
func (s *Selection) service() *corev1.Service {
	svc := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.Parent.Namespace, Name: s.Parent.Name,
			CreationTimestamp: s.Parent.CreationTimestamp, DeletionTimestamp: s.Parent.DeletionTimestamp,
		},
		Spec: corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone, Ports: s.Ports,
			PublishNotReadyAddresses: s.PublishNotReady},
	}
	if s.TrafficDistribution != "" {
		svc.Spec.TrafficDistribution = &s.TrafficDistribution
	}
	return svc
}

// selection checks what only a Selection has.
func (m *mistakes) selection(s *Selection, o Options) {
	path := field.NewPath("selection")
	if s.selectsNone() {
		m.Add(field.Required(path.Child("selector"),
			"say which Pods; for all of the namespace give an expression that each meets, such as DoesNotExist of a "+
				"label that none has"))
	}
	m.List(metav1validation.ValidateLabelSelector(s.Selector, metav1validation.LabelSelectorValidationOptions{},
		path.Child("selector")))
	if s.TrafficDistribution != "" && !slices.Contains(distributions, s.TrafficDistribution) {
		m.Add(field.NotSupported(path.Child("trafficDistribution"), s.TrafficDistribution, distributions))
	}
	if o.KeyLabel == "" {
		m.Add(field.Required(field.NewPath("options", "keyLabel"),
			"give a label of your own that says what the resource is, such as example.com/pool"))
	}
}
