package sim

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	maxEndpoints = 1000
	maxPorts     = 20000
)

// CreateErrors lists what the API server refuses in a defaulted slice that is to be created.
func CreateErrors(slice *discoveryv1.EndpointSlice) field.ErrorList {
	errs := metaErrors(slice)
	switch slice.AddressType {
	case discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6, discoveryv1.AddressTypeFQDN:
	default:
		errs = append(errs, field.NotSupported(field.NewPath("addressType"), slice.AddressType,
			[]string{"IPv4", "IPv6", "FQDN"}))
	}
	errs = append(errs, endpointsErrors(slice)...)
	return append(errs, PortErrors(slice.Ports, field.NewPath("ports"))...)
}

// UpdateErrors lists what the API server refuses when the defaulted slice replaces old.
func UpdateErrors(slice, old *discoveryv1.EndpointSlice) field.ErrorList {
	errs := append(metaErrors(slice), apivalidation.ValidateObjectMetaUpdate(&slice.ObjectMeta, &old.ObjectMeta,
		field.NewPath("metadata"))...)
	if slice.AddressType != old.AddressType {
		errs = append(errs, field.Invalid(field.NewPath("addressType"), slice.AddressType, "is immutable"))
	}
	if !apiequality.Semantic.DeepEqual(slice.Endpoints, old.Endpoints) {
		errs = append(errs, endpointsErrors(slice)...)
	}
	return append(errs, PortErrors(slice.Ports, field.NewPath("ports"))...)
}

// metaErrors lists what the API server refuses in metadata.
func metaErrors(s *discoveryv1.EndpointSlice) field.ErrorList {
	path := field.NewPath("metadata")
	errs := apivalidation.ValidateObjectMeta(&s.ObjectMeta, true, apivalidation.NameIsDNSSubdomain, path)
	standard := []string{string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents,
		metav1.FinalizerDeleteDependents}
	for _, f := range s.Finalizers {
		if !strings.Contains(f, "/") && !slices.Contains(standard, f) {
			errs = append(errs, field.Invalid(path.Child("finalizers"), f, "has no domain"))
		}
	}
	return errs
}

func endpointsErrors(slice *discoveryv1.EndpointSlice) field.ErrorList {
	path := field.NewPath("endpoints")
	if len(slice.Endpoints) > maxEndpoints {
		return field.ErrorList{field.TooMany(path, len(slice.Endpoints), maxEndpoints)}
	}
	var errs field.ErrorList
	for i, e := range slice.Endpoints {
		errs = append(errs, EndpointErrors(e, slice.AddressType, path.Index(i))...)
	}
	return errs
}

// PortErrors lists what the API server refuses in the ports of a slice; nil names and protocols
// count as their defaults.
func PortErrors(ports []discoveryv1.EndpointPort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(ports) > maxPorts {
		errs = append(errs, field.TooMany(path, len(ports), maxPorts))
	}
	protocols := []corev1.Protocol{corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP}
	seen := map[string]bool{}
	for i, p := range ports {
		name := ""
		if p.Name != nil {
			name = *p.Name
		}
		if seen[name] {
			errs = append(errs, field.Duplicate(path.Index(i).Child("name"), name))
		}
		seen[name] = true
		if name != "" {
			errs = append(errs, invalid(path.Index(i).Child("name"), name, validation.IsDNS1123Label(name))...)
		}
		if p.Protocol != nil && !slices.Contains(protocols, *p.Protocol) {
			errs = append(errs, field.NotSupported(path.Index(i).Child("protocol"), *p.Protocol, protocols))
		}
		if p.AppProtocol != nil {
			errs = append(errs, invalid(path.Index(i).Child("appProtocol"), *p.AppProtocol,
				validation.IsQualifiedName(*p.AppProtocol))...)
		}
	}
	return errs
}

// Default changes the slice as the API server does before it validates: a port without a name
// gets "", one without a protocol gets TCP. deprecatedTopology goes, because discovery.k8s.io/v1
// does not take it. Lists that are empty are as unset, because protobuf, in which the API server
// stores objects, knows no difference.
func Default(slice *discoveryv1.EndpointSlice) {
	if len(slice.Endpoints) == 0 {
		slice.Endpoints = nil
	}
	if len(slice.Ports) == 0 {
		slice.Ports = nil
	}
	for i := range slice.Ports {
		p := &slice.Ports[i]
		if p.Name == nil {
			p.Name = new(string)
		}
		if p.Protocol == nil {
			tcp := corev1.ProtocolTCP
			p.Protocol = &tcp
		}
	}
	for i := range slice.Endpoints {
		slice.Endpoints[i].DeprecatedTopology = nil
	}
}
