package services

import (
	"fmt"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// serviceProxyName is the label of Services and slices that kube-proxy leaves to another proxy.
const serviceProxyName = "service.kubernetes.io/service-proxy-name"

// mistakes collects what is wrong with a call.
type mistakes struct{ accept.Faults }

// check returns the mistakes in the call, the options first. Without a mistake, it reports whether
// the Service is not to be published, for which it adds a Notice.
func (d *derivation) check(pods []*corev1.Pod) (unmanaged bool, err error) {
	svc, o := d.service, d.options
	if svc == nil {
		return false, field.Required(field.NewPath("service"), "give the Service whose endpoints are wanted")
	}
	var m mistakes
	m.options(o, d.bySelector)
	if d.selection != nil {
		m.selection(d.selection, o)
	}
	m.identity(svc, o)
	if unmanaged = d.unmanaged(); !unmanaged {
		m.ports(svc.Spec.Ports)
		if d.fromPods() {
			m.targetPorts(svc.Spec.Ports)
		}
		m.pods(svc, pods)
	}
	return unmanaged, m.Err()
}

// unmanaged reports whether the Service is not to be published, and adds a Notice that says why.
func (d *derivation) unmanaged() bool {
	var reason, name, why string
	switch {
	case d.service.Spec.Type == corev1.ServiceTypeExternalName:
		reason, name = "ExternalName", "type"
		why = "an ExternalName Service is an alias and has no endpoints: its slices stay until Remove deletes them"
	case d.bySelector && len(d.service.Spec.Selector) == 0:
		reason, name = "NoSelector", "selector"
		why = "a Service without a selector has no Pods to publish: its slices stay until Remove deletes them"
	default:
		return false
	}
	err := field.Forbidden(field.NewPath("service", "spec", name), why)
	d.input.Normal = append(d.input.Normal, slicer.Notice{
		Reason: reason, Object: d.reference(), Path: err.Field, Err: err,
	})
	return true
}

func (m *mistakes) options(o Options, ofService bool) {
	path := func(name string) *field.Path { return field.NewPath("options", name) }
	if o.ManagedBy == "" {
		m.Add(field.Required(path("managedBy"),
			"choose a name that no other manager of EndpointSlices uses, such as slices.example.com"))
	}
	for i, t := range o.AddressTypes {
		if !slices.Contains(endpoint.Families[:], t) {
			m.Add(field.NotSupported(path("addressTypes").Index(i), string(t), endpoint.Families[:]))
		}
	}
	if o.Addresses != nil && o.NameLabel == "" {
		m.Add(field.Required(path("nameLabel"),
			"readers join all slices with the label kubernetes.io/service-name, "+
				"and Addresses are not those that Kubernetes publishes: give a label of your own, such as "+
				"example.com/service-of-net2"))
	} else if ofService && o.NameLabel == "" && !o.ReplacesKubernetes {
		m.Add(field.Required(path("replacesKubernetes"),
			"Kubernetes publishes the Pods of this Service already, and kube-proxy would see them twice: set this "+
				"where Kubernetes' own controller does not run; elsewhere give a NameLabel"))
	}
	if label := o.NameLabel; label != "" {
		if slices.Contains(endpoint.ReservedLabels[:], label) || label == serviceProxyName {
			m.Add(field.Invalid(path("nameLabel"), label, "this label has a meaning of its own on slices: "+
				"give a label of your own, such as example.com/service, or leave this empty for "+
				"kubernetes.io/service-name"))
		}
		if !accept.PlainKey(label) {
			m.Invalid(path("nameLabel"), label, validation.IsQualifiedName(label))
		}
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

// identity checks the names from which the names and labels of slices are made.
func (m *mistakes) identity(svc *corev1.Service, o Options) {
	path := func(name string) *field.Path { return field.NewPath("service", "metadata", name) }
	if svc.Name == "" {
		m.Add(field.Required(path("name"), "slices are named and labelled after it"))
	}
	if svc.Namespace == "" {
		m.Add(field.Required(path("namespace"), "slices are created in this namespace"))
	}
	value := svc.Name
	if o.NameLabel != "" {
		value = accept.LabelValue(value)
	}
	if !accept.PlainValue(value) {
		for _, msg := range validation.IsValidLabelValue(value) {
			m.Add(field.Invalid(path("name"), svc.Name,
				"cannot be the value of the label "+o.nameLabel()+": "+msg))
		}
	}
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
	var names map[string]bool
	if len(ports) > 1 {
		names = make(map[string]bool, len(ports))
	}
	for i := range ports {
		p := &ports[i]
		at := func(name string) *field.Path { return field.NewPath("service", "spec", "ports").Index(i).Child(name) }
		if names[p.Name] {
			m.Add(accept.Duplicate(at("name"), p.Name, "give each port a name of its own"))
		}
		if names != nil {
			names[p.Name] = true
		}
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
