package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still read them.

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/mirror/internal/source"
)

// checkView returns the mistakes in the arguments of ToEndpoints.
func checkView(all []*discoveryv1.EndpointSlice, o ViewOptions) error {
	faults := accept.Faults{source.OneService(all), o.validate()}
	path, service := field.NewPath("options", "service"), o.Service
	if service == nil {
		return faults.Err()
	}
	// If all slices are nil, OneService has returned an error for each of them.
	if i := slices.IndexFunc(all, func(s *discoveryv1.EndpointSlice) bool { return s != nil }); i >= 0 {
		name, namespace := all[i].Labels[discoveryv1.LabelServiceName], all[i].Namespace
		switch {
		case name == "":
			faults.Add(field.Required(source.Path(i).Child("metadata", "labels").Key(discoveryv1.LabelServiceName),
				"the slice does not name its Service: give slices as the API server returns them"))
		case namespace != service.Namespace || name != service.Name:
			faults.Add(field.Invalid(path.Child("metadata", "name"), service.Namespace+"/"+service.Name,
				"give the Service of the slices, "+namespace+"/"+name+", or nil"))
		}
	}
	known := []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	if families := service.Spec.IPFamilies; len(families) > 0 && !slices.Contains(known, families[0]) {
		faults.Add(field.NotSupported(path.Child("spec", "ipFamilies").Index(0), string(families[0]), known))
	}
	return faults.Err()
}

// family returns the address type that the Endpoints show.
func family(all []*discoveryv1.EndpointSlice, o ViewOptions) discoveryv1.AddressType {
	switch {
	case o.AddressType != "":
		return o.AddressType
	case o.Service != nil && len(o.Service.Spec.IPFamilies) > 0:
		return discoveryv1.AddressType(o.Service.Spec.IPFamilies[0])
	case slices.ContainsFunc(all, func(s *discoveryv1.EndpointSlice) bool {
		return s.AddressType == discoveryv1.AddressTypeIPv4
	}):
		return discoveryv1.AddressTypeIPv4
	default:
		return discoveryv1.AddressTypeIPv6
	}
}

// showsPortless reports whether the Endpoints show endpoints of slices without ports. A slice
// without ports has Pods that have none of the Service's ports, or all Pods of a headless Service
// without ports.
func showsPortless(all []*discoveryv1.EndpointSlice, service *corev1.Service) bool {
	if service != nil {
		return len(service.Spec.Ports) == 0
	}
	return !slices.ContainsFunc(all, func(s *discoveryv1.EndpointSlice) bool { return len(s.Ports) > 0 })
}

// share returns how many addresses each subset shows, and whether any address is not shown.
//
//	limit 10, three subsets with 6, 3 and 3 ready addresses: 12 are too many, so the subsets show
//	5 = ceil(6*10/12), 3 = ceil(3*10/12) and 2, which is the rest of the limit. No address that is
//	not ready is shown.
//
//	limit 10, three subsets with 2, 3 and 3 ready addresses, and 0, 4 and 4 that are not ready: all
//	ready addresses are shown, and 0, 1 and 1 of the others.
func (v *view) share() (quotas [][2]int, cut bool) {
	quotas = v.counts()
	limit := v.limit
	for unready := range 2 {
		total := 0
		for i := range quotas {
			total += quotas[i][unready]
		}
		if total <= limit {
			limit -= total
			continue
		}
		cut = true
		left := limit
		for _, list := range v.ports.order() {
			n := &quotas[list][unready]
			*n = min(left, int((int64(*n)*int64(limit)+int64(total)-1)/int64(total)))
			left -= *n
		}
		limit = left
	}
	return quotas, cut
}

// subsets turns the entries into subsets, which share no memory with the slices. It returns nil if
// there are none.
func (v *view) subsets() []corev1.EndpointSubset {
	byList := make([]corev1.EndpointSubset, len(v.ports.lists))
	for _, e := range v.entries {
		a := *e.address.from.DeepCopy()
		a.IP = e.address.number.Unmap().String()
		if a.NodeName != nil && *a.NodeName == "" {
			a.NodeName = nil
		}
		if s := &byList[e.ports]; e.unready == 0 {
			s.Addresses = append(s.Addresses, a)
		} else {
			s.NotReadyAddresses = append(s.NotReadyAddresses, a)
		}
	}
	var subsets []corev1.EndpointSubset
	for _, list := range v.ports.order() {
		if s := byList[list]; len(s.Addresses)+len(s.NotReadyAddresses) > 0 {
			for _, p := range slicePorts(v.ports.lists[list].ports) {
				s.Ports = append(s.Ports,
					corev1.EndpointPort{Name: *p.Name, Port: *p.Port, Protocol: *p.Protocol,
						AppProtocol: p.AppProtocol})
			}
			subsets = append(subsets, s)
		}
	}
	return subsets
}

// commonMeta returns the metadata that all slices have in common, without the labels and
// annotations that only slices have.
func commonMeta(all []*discoveryv1.EndpointSlice) metav1.ObjectMeta {
	var meta metav1.ObjectMeta
	for i, s := range all {
		if i == 0 {
			meta.Namespace, meta.Name = s.Namespace, s.Labels[discoveryv1.LabelServiceName]
			meta.Labels, meta.Annotations = maps.Clone(s.Labels), maps.Clone(s.Annotations)
		}
		agree(meta.Labels, s.Labels)
		agree(meta.Annotations, s.Annotations)
	}
	meta.Labels = without(meta.Labels, discoveryv1.LabelServiceName, discoveryv1.LabelManagedBy)
	meta.Annotations = without(meta.Annotations, corev1.EndpointsLastChangeTriggerTime, corev1.EndpointsOverCapacity)
	return meta
}

// agree keeps in m only the keys that other has with the same value.
func agree(m, other map[string]string) {
	maps.DeleteFunc(m, func(k, v string) bool {
		w, ok := other[k]
		return !ok || w != v
	})
}
