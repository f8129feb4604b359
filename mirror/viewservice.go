package mirror

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkViewed returns what is wrong with the Service of a view.
func checkViewed(slices []*discoveryv1.EndpointSlice, service *corev1.Service) error {
	if service == nil {
		return nil
	}
	path := field.NewPath("options", "service")
	var errs []error
	for _, s := range slices {
		if s == nil {
			continue
		}
		if name := s.Labels[discoveryv1.LabelServiceName]; s.Namespace != service.Namespace || name != service.Name {
			errs = append(errs, field.Invalid(path.Child("metadata", "name"), service.Namespace+"/"+service.Name,
				"give the Service of the slices, "+s.Namespace+"/"+name+", or nil"))
		}
		break // the others are of the same Service, or checkSlices has an error
	}
	if families := service.Spec.IPFamilies; len(families) > 0 {
		switch families[0] {
		case corev1.IPv4Protocol, corev1.IPv6Protocol:
		default:
			errs = append(errs, field.NotSupported(path.Child("spec", "ipFamilies").Index(0), families[0],
				[]corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}))
		}
	}
	return errors.Join(errs...)
}

// family returns the address type of the view.
func family(all []*discoveryv1.EndpointSlice, o ViewOptions) discoveryv1.AddressType {
	switch {
	case o.AddressType != "":
		return o.AddressType
	case o.Service != nil && len(o.Service.Spec.IPFamilies) > 0:
		return discoveryv1.AddressType(o.Service.Spec.IPFamilies[0])
	case slices.ContainsFunc(all, func(s *discoveryv1.EndpointSlice) bool { return s.AddressType == discoveryv1.AddressTypeIPv4 }):
		return discoveryv1.AddressTypeIPv4
	default:
		return discoveryv1.AddressTypeIPv6
	}
}

// showsPortless reports whether a view shows endpoints of slices without ports. A controller puts a Pod that has none of
// its Service's ports into such a slice, and all Pods of a headless Service that has no ports.
func showsPortless(all []*discoveryv1.EndpointSlice, service *corev1.Service) bool {
	if service != nil {
		return len(service.Spec.Ports) == 0
	}
	return !slices.ContainsFunc(all, func(s *discoveryv1.EndpointSlice) bool { return len(s.Ports) > 0 })
}
