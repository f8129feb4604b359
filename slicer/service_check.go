package slicer

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkService returns why no endpoints can be derived, as *field.Errors joined; those that say that the Service is not
// to be managed come first.
func checkService(svc *corev1.Service, o ServiceOptions) error {
	root := field.NewPath("service")
	if svc == nil {
		return field.Required(root, "give the Service whose endpoints are wanted")
	}
	var errs faults
	if svc.Spec.Type == corev1.ServiceTypeExternalName {
		errs.add(field.Forbidden(root.Child("spec", "type"),
			"an ExternalName Service is an alias and has no endpoints: do not manage it"))
	} else if len(svc.Spec.Selector) == 0 && !o.AllowNoSelector {
		errs.add(field.Forbidden(root.Child("spec", "selector"),
			"without selector its endpoints are managed by somebody else: leave it alone, or set AllowNoSelector"))
	}
	if svc.Name == "" {
		errs.add(field.Required(root.Child("metadata", "name"), "slices are named and labelled after it"))
	}
	if svc.Namespace == "" {
		errs.add(field.Required(root.Child("metadata", "namespace"), "slices live in the Service's namespace"))
	}
	errs.servicePorts(svc.Spec.Ports)
	options := field.NewPath("options")
	unknown(&errs, options.Child("missingNode"), missingNodeWords, o.MissingNode)
	unknown(&errs, options.Child("unresolvedPort"), unresolvedPortWords, o.UnresolvedPort)
	for i, t := range o.AddressTypes {
		if !slices.Contains(serviceTypes[:], t) {
			errs.add(field.NotSupported(options.Child("addressTypes").Index(i), t, serviceTypes[:]))
		}
	}
	return errs.err()
}

// servicePorts checks what Compute would refuse in any slice of these ports (V4 and the range of numbers), so that the
// error names the Service's field and not one of the derived Input.
func (f *faults) servicePorts(ports []corev1.ServicePort) {
	path := field.NewPath("service", "spec", "ports")
	names := make(map[string]bool, len(ports))
	for i := range ports {
		p, at := &ports[i], path.Index(i)
		if p.Name != "" {
			f.messages(at.Child("name"), p.Name, validation.IsDNS1123Label(p.Name))
		}
		if names[p.Name] {
			f.add(duplicated(at.Child("name"), p.Name, "give each port a name of its own"))
		}
		names[p.Name] = true
		if p.Protocol != "" && !supportedProtocol(p.Protocol) {
			f.add(field.NotSupported(at.Child("protocol"), p.Protocol, protocols[:]))
		}
		f.target(p, at)
		if p.AppProtocol != nil {
			f.messages(at.Child("appProtocol"), *p.AppProtocol, validation.IsQualifiedName(*p.AppProtocol))
		}
	}
}

// target checks the number that a port leads to on every Pod, where it is a number.
func (f *faults) target(p *corev1.ServicePort, at *field.Path) {
	number, name := target(p)
	if name != "" || number >= 1 && number <= 65535 {
		return
	}
	if p.TargetPort.Type == intstr.Int && p.TargetPort.IntVal != 0 {
		f.add(field.Invalid(at.Child("targetPort"), number, "use 1 to 65535, or the name of a port of the Pods"))
		return
	}
	f.add(field.Invalid(at.Child("port"), number, "use 1 to 65535, or set targetPort"))
}
