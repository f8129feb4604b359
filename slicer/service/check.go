package service

import (
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// mistakes collects what is wrong with a call.
type mistakes []error

func (m *mistakes) add(err *field.Error) { *m = append(*m, err) }

func (m *mistakes) notManaged(err *field.Error) {
	*m = append(*m, fmt.Errorf("%w: %w", ErrNotManaged, err))
}

func (m mistakes) err() error { return errors.Join(m...) }

// check returns why no endpoints can be derived, as *field.Errors joined; those that say that the Service is not to be
// managed come first.
func check(svc *corev1.Service, pods []*corev1.Pod, o Options) error {
	var m mistakes
	switch managed(svc, o) {
	case NoService:
		return missingService()
	case ExternalName:
		m.notManaged(field.Forbidden(field.NewPath("service", "spec", "type"),
			"an ExternalName Service is an alias and has no endpoints: do not manage it"))
	case NoSelector:
		m.notManaged(field.Forbidden(field.NewPath("service", "spec", "selector"),
			"without selector its endpoints are managed by somebody else: leave it alone, or set AllowNoSelector"))
	}
	m.identity(svc, o)
	m.ports(svc.Spec.Ports)
	for i, t := range o.AddressTypes {
		if !slices.Contains(families[:], t) {
			m.add(field.NotSupported(field.NewPath("options", "addressTypes").Index(i), t, families[:]))
		}
	}
	m.metadata(o)
	for i, pod := range pods {
		if pod == nil {
			m.add(field.Required(field.NewPath("pods").Index(i), "is nil: leave it out"))
		}
	}
	return m.err()
}

// checkRemoval returns why the slices that were published cannot be told from others.
func checkRemoval(svc *corev1.Service, o Options) error {
	if svc == nil {
		return missingService()
	}
	var m mistakes
	m.identity(svc, o)
	return m.err()
}

func missingService() error {
	return field.Required(field.NewPath("service"), "give the Service whose endpoints are wanted")
}

// identity checks what names the Service and its slices.
func (m *mistakes) identity(svc *corev1.Service, o Options) {
	if svc.Name == "" {
		m.add(field.Required(field.NewPath("service", "metadata", "name"), "slices are named and labelled after it"))
	}
	if svc.Namespace == "" {
		m.add(field.Required(field.NewPath("service", "metadata", "namespace"), "slices live in the Service's namespace"))
	}
	if o.ManagedBy == "" {
		m.add(field.Required(field.NewPath("options", "managedBy"),
			"choose a name that no other manager of EndpointSlices uses, such as slices.example.com"))
	}
}

// metadata checks what the options put on every slice.
func (m *mistakes) metadata(o Options) {
	if len(o.Labels)+len(o.Annotations) == 0 {
		return
	}
	path := field.NewPath("options")
	for _, name := range endpoint.ReservedLabels {
		if _, ok := o.Labels[name]; ok {
			m.add(field.Forbidden(path.Child("labels").Key(name), "this label has a meaning of its own: use ManagedBy and Key"))
		}
	}
	for _, err := range metav1validation.ValidateLabels(o.Labels, path.Child("labels")) {
		m.add(err)
	}
	for _, err := range apivalidation.ValidateAnnotations(o.Annotations, path.Child("annotations")) {
		m.add(err)
	}
	if _, ok := o.Annotations[corev1.EndpointsLastChangeTriggerTime]; ok {
		m.add(field.Forbidden(path.Child("annotations").Key(corev1.EndpointsLastChangeTriggerTime), "use TriggerTime"))
	}
}

// ports checks what the API server and slicer.Compute refuse in the ports of any slice, so that the error names the
// Service's field and not one of the derived Input.
func (m *mistakes) ports(ports []corev1.ServicePort) {
	var names map[string]bool
	if len(ports) > 1 {
		names = make(map[string]bool, len(ports))
	}
	for i := range ports {
		p := &ports[i]
		at := func(name string) *field.Path { return field.NewPath("service", "spec", "ports").Index(i).Child(name) }
		if p.Name != "" && !accept.PlainName(p.Name, false) {
			m.messages(at("name"), p.Name, validation.IsDNS1123Label(p.Name))
		}
		if names[p.Name] {
			err := field.Duplicate(at("name"), p.Name)
			err.Detail = "give each port a name of its own"
			m.add(err)
		}
		if names != nil {
			names[p.Name] = true
		}
		if p.Protocol != "" && !slices.Contains(protocols[:], p.Protocol) {
			m.add(field.NotSupported(at("protocol"), p.Protocol, protocols[:]))
		}
		m.target(p, at)
		if p.AppProtocol != nil && !accept.PlainKey(*p.AppProtocol) {
			m.messages(at("appProtocol"), *p.AppProtocol, validation.IsQualifiedName(*p.AppProtocol))
		}
	}
}

// protocols are those that the API server accepts in a slice.
var protocols = [...]corev1.Protocol{corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP}

func (m *mistakes) messages(path *field.Path, value string, messages []string) {
	for _, message := range messages {
		m.add(field.Invalid(path, value, message))
	}
}

// target checks the number that a port leads to on every Pod, where it is a number.
func (m *mistakes) target(p *corev1.ServicePort, at func(name string) *field.Path) {
	number, name := target(p)
	if name != "" || number >= 1 && number <= 65535 {
		return
	}
	if p.TargetPort.Type == intstr.Int && p.TargetPort.IntVal != 0 {
		m.add(field.Invalid(at("targetPort"), number, "use 1 to 65535, or the name of a port of the Pods"))
		return
	}
	m.add(field.Invalid(at("port"), number, "use 1 to 65535, or set targetPort"))
}
