package services

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
)

// serviceProxyName is the label of Services and slices that kube-proxy leaves to another proxy.
const serviceProxyName = "service.kubernetes.io/service-proxy-name"

// mistakes collects what is wrong with a call.
type mistakes struct{ accept.Faults }

func (m *mistakes) notManaged(err *field.Error) {
	m.Faults = append(m.Faults, fmt.Errorf("%w: %w", ErrNotManaged, err))
}

// check returns why no endpoints can be derived, as joined *field.Errors. If the Service must not
// be managed, ErrNotManaged comes first.
func check(of subject, pods []*corev1.Pod, o Options) error {
	var m mistakes
	if of.selection != nil {
		m.selection(of.selection, o)
	}
	svc := of.service
	switch managed(svc, of.bySelector) {
	case NoService:
		return missingService()
	case ExternalName:
		m.notManaged(field.Forbidden(field.NewPath("service", "spec", "type"),
			"an ExternalName Service is an alias and has no endpoints: do not manage it"))
	case NoSelector:
		m.notManaged(field.Forbidden(field.NewPath("service", "spec", "selector"),
			"a Service without selector has no Pods to publish: PlanBackends publishes endpoints of yours, Plan the "+
				"Pods of a copy that has the selector, and PlanRemoval takes away what Plan published before"))
	case Publishable:
	}
	m.identity(svc, o)
	if clusterIP(svc) == "" && svc.Spec.Type != corev1.ServiceTypeExternalName {
		m.Add(field.Required(field.NewPath("service", "spec", "clusterIP"),
			"the API server fills this in: plan the Service that it returns; in a test or a manifest give an IP, or "+
				"None for a headless Service"))
	}
	m.ports(svc.Spec.Ports)
	if of.bySelector || of.selection != nil {
		m.targetPorts(svc.Spec.Ports)
	}
	m.options(o)
	m.pods(svc, pods)
	return m.Err()
}

func (m *mistakes) options(o Options) {
	for i, t := range o.AddressTypes {
		if !slices.Contains(endpoint.Families[:], t) {
			m.Add(field.NotSupported(field.NewPath("options", "addressTypes").Index(i), string(t),
				endpoint.Families[:]))
		}
	}
	if !slices.Contains(choices, o.PerFamily) {
		m.Add(accept.NotSupported(field.NewPath("options", "perFamily"), o.PerFamily, "EachAddress", choices))
	}
	m.labels(o.Labels)
	if o.Addresses != nil && o.KeyLabel == "" {
		m.Add(field.Required(field.NewPath("options", "keyLabel"),
			"readers join all slices with the label kubernetes.io/service-name, "+
				"and Addresses are not those that Kubernetes publishes: give a label of your own, such as "+
				"example.com/service-of-net2"))
	}
}

func (m *mistakes) pods(svc *corev1.Service, pods []*corev1.Pod) {
	for i, pod := range pods {
		if pod == nil {
			m.Add(field.Required(field.NewPath("pods").Index(i), "is nil: leave it out"))
		}
	}
	if len(pods) > 0 && svc.Namespace != "" &&
		!slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return pod == nil || pod.Namespace == svc.Namespace }) {
		m.Add(field.Invalid(field.NewPath("pods").Index(0).Child("metadata", "namespace"), pods[0].Namespace,
			fmt.Sprintf("all Pods are of other namespaces: list those of %q, and give none if it has none",
				svc.Namespace)))
	}
}

// checkRemoval returns the mistakes because of which published slices cannot be recognized.
func checkRemoval(svc *corev1.Service, o Options) error {
	if svc == nil {
		return missingService()
	}
	var m mistakes
	m.identity(svc, o)
	return m.Err()
}

func missingService() error {
	return field.Required(field.NewPath("service"), "give the Service whose endpoints are wanted")
}

// identity checks the names from which the names and labels of slices are made.
func (m *mistakes) identity(svc *corev1.Service, o Options) {
	if svc.Name == "" {
		m.Add(field.Required(field.NewPath("service", "metadata", "name"), "slices are named and labelled after it"))
	}
	if svc.Namespace == "" {
		m.Add(field.Required(field.NewPath("service", "metadata", "namespace"), "slices are created in this namespace"))
	}
	if o.ManagedBy == "" {
		m.Add(field.Required(field.NewPath("options", "managedBy"),
			"choose a name that no other manager of EndpointSlices uses, such as slices.example.com"))
	}
	m.key(svc.Name, o)
}

// key checks KeyLabel. It also checks that the name can be the value of that label.
func (m *mistakes) key(name string, o Options) {
	label := cmp.Or(o.KeyLabel, discoveryv1.LabelServiceName)
	value := name
	if o.KeyLabel != "" {
		path := field.NewPath("options", "keyLabel")
		value = accept.LabelValue(name)
		if slices.Contains(endpoint.ReservedLabels[:], label) || label == serviceProxyName {
			m.Add(field.Invalid(path, label, "this label has a meaning of its own on slices: "+
				"give a label of your own, such as example.com/service, or leave this empty for "+
				"kubernetes.io/service-name"))
		}
		if !accept.PlainKey(label) {
			m.Invalid(path, label, validation.IsQualifiedName(label))
		}
	}
	if !accept.PlainValue(value) {
		for _, msg := range validation.IsValidLabelValue(value) {
			m.Add(field.Invalid(field.NewPath("service", "metadata", "name"), name,
				"cannot be the value of the label "+label+": "+msg))
		}
	}
}

// labels checks the labels that the options put on every slice. slicer.Compute checks the
// annotations.
func (m *mistakes) labels(labels map[string]string) {
	if len(labels) == 0 {
		return
	}
	path := field.NewPath("options", "labels")
	for _, name := range endpoint.ReservedLabels {
		if _, ok := labels[name]; ok {
			m.Add(field.Forbidden(path.Key(quote.Text(name)),
				"this label has a meaning of its own: use ManagedBy and KeyLabel"))
		}
	}
	m.List(metav1validation.ValidateLabels(labels, path))
}

// targetPorts checks names of ports as the API server does. Backends may use other names.
func (m *mistakes) targetPorts(ports []corev1.ServicePort) {
	for i := range ports {
		_, name := target(&ports[i])
		if name == "" || isPortName(name) {
			continue
		}
		path := field.NewPath("service", "spec", "ports").Index(i).Child("targetPort")
		if _, err := strconv.Atoi(name); err == nil {
			m.Add(field.Invalid(path, name, "a number in quotes is the name of a port: leave the quotes out"))
			continue
		}
		m.Invalid(path, name, validation.IsValidPortName(name))
	}
}

// isPortName reports whether a container may declare a port of this name.
func isPortName(name string) bool { return len(validation.IsValidPortName(name)) == 0 }

// ports checks what the API server and slicer.Compute would refuse in the ports of a slice, so that
// the error has a path in the Service, not in the derived Input.
func (m *mistakes) ports(ports []corev1.ServicePort) {
	names := map[string]bool{}
	for i := range ports {
		p := &ports[i]
		at := func(name string) *field.Path { return field.NewPath("service", "spec", "ports").Index(i).Child(name) }
		if names[p.Name] {
			m.Add(accept.Duplicate(at("name"), p.Name, "give each port a name of its own"))
		}
		names[p.Name] = true
		m.Port(endpoint.Port{Name: p.Name, Protocol: endpoint.Protocol(p.Protocol), Number: endpoint.AnyPort},
			p.AppProtocol, at)
		switch number, name := target(p); {
		case name != "" || number >= 1 && number <= 65535:
		case p.TargetPort.Type == intstr.Int && p.TargetPort.IntVal != 0:
			m.Add(field.Invalid(at("targetPort"), number, "use 1 to 65535, or the name of a port of the Pods"))
		default:
			m.Add(field.Invalid(at("port"), number, "use 1 to 65535, or set targetPort"))
		}
	}
}
