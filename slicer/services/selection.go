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

// Selection describes a resource other than a Service that selects Pods: an EndpointSelector
// (KEP-6116), the resource Backend of the Gateway API if it has a selector (GEP-4894), an inference
// pool, or any custom resource. Its slices hold the endpoints that a Service of the same name with
// these Pods and ports would have. The slices do not have the labels kubernetes.io/service-name and
// service.kubernetes.io/headless, so kube-proxy and cluster DNS ignore them.
type Selection struct {
	// Parent is the metadata of the resource. Namespace and name are required. The creation and
	// deletion timestamps are read as well.
	Parent metav1.ObjectMeta
	// Owners are the owner references of the slices, for example metav1.NewControllerRef of the
	// resource. If nil or empty, the slices have no owner, and the garbage collector does not
	// delete them when the resource is gone.
	Owners []metav1.OwnerReference
	// Selector selects Pods of the namespace. nil and empty are an error, because a forgotten
	// selector would publish all Pods. To select all Pods, use an expression that matches
	// every Pod, for example DoesNotExist for a label that no Pod has.
	Selector *metav1.LabelSelector
	// Ports are read like those of a Service. Without TargetPort, Port is the number on the Pods.
	// If there are several ports, each needs a name of its own. If nil or empty, the slices have no
	// ports, for readers that know the port.
	Ports []corev1.ServicePort
	// PublishNotReady has the meaning of publishNotReadyAddresses of a Service.
	PublishNotReady bool
	// TrafficDistribution has the meaning of the same field of a Service. A value that a Service
	// may not have is an error. If empty, there are no hints unless Options.Hints asks for them.
	TrafficDistribution string
}

// PlanSelection is [Plan] for a [Selection]. There are three differences:
//
//   - Options.KeyLabel is required, because its default is a label of Services. Give a label that
//     says what the resource is, such as "example.com/pool". KeyLabel, ManagedBy and Options.Labels
//     are the only labels of the slices.
//   - If Options.AddressTypes is empty, the slices have the families of the Pods. No Skip reports
//     that a Pod does not have a family, and there is no placeholder before the first endpoint. If
//     there are no Pods, the families are those of the existing slices, so a placeholder stays for
//     each of them unless Options.Slices.NoPlaceholder is set.
//   - Mistakes have paths such as selection.ports[1].name, and no error is ErrNotManaged.
//
// [PodMatters], [NodeMatters] and [SliceMatters] work for a Selection as for a Service. After an
// event of a Pod, [Selection.Selects] reports whether to sync a Selection. Equal Selections give
// equal plans. examples/programs/reconciler/selection_test.go shows a whole Reconcile function.
func PlanSelection(
	s Selection, pods []*corev1.Pod, node func(name string) *corev1.Node, existing []*discoveryv1.EndpointSlice,
	o Options,
) (slicer.Plan, error) {
	d := pool.Get().(*derivation)
	defer pool.Put(d)
	plan, err := d.plan(subject{service: s.service(), selection: &s}, pods, existing, o, func() {
		d.readPods(pods, node)
	})
	return plan, withPaths(err, ofService.path)
}

// Selects reports whether the Pod is in the Selection's namespace and matches its selector. The
// result is false if pod is nil, or if the selector is nil, empty or invalid.
func (s Selection) Selects(pod *corev1.Pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(s.Selector)
	return err == nil && !s.selectsNone() && pod != nil && pod.Namespace == s.Parent.Namespace &&
		selector.Matches(labels.Set(pod.Labels))
}

// selectsNone reports whether the selector was left out.
func (s *Selection) selectsNone() bool {
	return s.Selector == nil || len(s.Selector.MatchLabels)+len(s.Selector.MatchExpressions) == 0
}

// ofService translates paths of a Service to paths of a Selection.
var ofService = renames{
	{"service.spec.ports", "selection.ports"}, {"service.metadata.", "selection.parent."},
}

// service returns a Service that publishes the same endpoints.
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

// selection checks the fields that only a Selection has.
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
