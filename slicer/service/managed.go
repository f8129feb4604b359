package service

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/slicer"
)

// Reason says whether a Service's endpoints are to be published, and if not, why.
type Reason string

const (
	// Publishable: its endpoints are to be published.
	Publishable Reason = "Publishable"
	// NoService: there is none (nil).
	NoService Reason = "NoService"
	// ExternalName: it is an alias and has no endpoints.
	ExternalName Reason = "ExternalName"
	// NoSelector: somebody else manages its endpoints.
	NoSelector Reason = "NoSelector"
)

// Managed reports whether a Service's endpoints are to be published, and the first reason in the order of the constants.
// Where it says false, Plan and Input return an error; see PlanRemoval for what was published before. For Backends, which
// need no selector, set AllowNoSelector; no other option counts.
func Managed(svc *corev1.Service, o Options) (bool, Reason) {
	reason := managed(svc, o)
	return reason == Publishable, reason
}

func managed(svc *corev1.Service, o Options) Reason {
	switch {
	case svc == nil:
		return NoService
	case svc.Spec.Type == corev1.ServiceTypeExternalName:
		return ExternalName
	case len(svc.Spec.Selector) == 0 && !o.AllowNoSelector:
		return NoSelector
	default:
		return Publishable
	}
}

// PlanRemoval plans the deletion of all slices that were published for a Service under the options' ManagedBy and Key,
// without leaving a placeholder: for a Service that is not Managed any more, or whose slices another manager takes over.
// Slices of other managers stay. Errors are those of Plan, except that the Service need not be managed.
func PlanRemoval(svc *corev1.Service, existing []*discoveryv1.EndpointSlice, o Options) (slicer.Plan, error) {
	if err := checkRemoval(svc, o); err != nil {
		return slicer.Plan{}, err
	}
	d := derivation{rules: rules{service: svc, options: o}}
	in := slicer.Input{Set: d.set(), Options: o.slices(svc)}
	in.Options.NoPlaceholder = true
	return slicer.Compute(in, existing)
}
