package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still read them.

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/mirror/internal/source"
	"github.com/slicewright/slicewright/slicer"
)

// overCapacity is the value of the annotation endpoints.kubernetes.io/over-capacity on Endpoints
// that were cut.
const overCapacity = "truncated"

// ToEndpoints returns the Endpoints that Kubernetes would write for a Service with these slices,
// with at most 1000 addresses, and what they cannot hold. The first of spec.ipFamilies decides
// about the family. The result has the label skip-mirror, so that Kubernetes does not mirror it
// back, and the annotation over-capacity if addresses were left out.
//
// Subsets are in canonical form: an address is in one subset with exactly the ports on which it is
// ready, and in another one with the ports on which it is not. Of an endpoint only the first
// address is shown, because readers use no other. Labels are those of the Service. The Endpoints
// share no memory with the arguments.
func ToEndpoints(svc *corev1.Service, list []*discoveryv1.EndpointSlice) (*corev1.Endpoints, slicer.Notices, error) {
	if err := checkView(svc, list); err != nil {
		return nil, nil, err
	}
	v := view{addressType: family(svc, list), portless: len(svc.Spec.Ports) == 0, gathering: gathering{
		ports: portLists{forEndpoints: true}, path: endpointPath, limit: maxAddresses,
		advice: "too many addresses: readers should turn to the slices, which hold them all",
	}}
	for i, s := range list {
		v.read(i, s)
	}
	v.gather()
	endpoints := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{
		Namespace: svc.Namespace, Name: svc.Name, Labels: maps.Clone(svc.Labels),
	}}
	delete(endpoints.Labels, corev1.IsHeadlessService)
	if svc.Spec.ClusterIP == corev1.ClusterIPNone || svc.Spec.ClusterIP == "" {
		metav1.SetMetaDataLabel(&endpoints.ObjectMeta, corev1.IsHeadlessService, "")
	}
	metav1.SetMetaDataLabel(&endpoints.ObjectMeta, discoveryv1.LabelSkipMirror, "true")
	if quotas, cut := v.share(); cut {
		v.cut(quotas)
		metav1.SetMetaDataAnnotation(&endpoints.ObjectMeta, corev1.EndpointsOverCapacity, overCapacity)
	}
	endpoints.Subsets = v.subsets()
	return endpoints, v.warnings, nil
}

// checkView returns the mistakes in the arguments of ToEndpoints.
func checkView(svc *corev1.Service, all []*discoveryv1.EndpointSlice) error {
	path := field.NewPath("service")
	if svc == nil {
		return field.Required(path, "give the Service of the slices")
	}
	faults := accept.Faults{source.OneService(all)}
	// If all slices are nil, OneService has returned an error for each of them.
	if i := slices.IndexFunc(all, func(s *discoveryv1.EndpointSlice) bool { return s != nil }); i >= 0 {
		name, namespace := all[i].Labels[discoveryv1.LabelServiceName], all[i].Namespace
		switch {
		case name == "":
			faults.Add(field.Required(source.Path(i).Child("metadata", "labels").Key(discoveryv1.LabelServiceName),
				"the slice does not name its Service: give slices as the API server returns them"))
		case namespace != svc.Namespace || name != svc.Name:
			faults.Add(field.Invalid(path.Child("metadata", "name"), svc.Namespace+"/"+svc.Name,
				"give the Service of the slices, "+namespace+"/"+name))
		}
	}
	known := []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	if families := svc.Spec.IPFamilies; len(families) > 0 && !slices.Contains(known, families[0]) {
		faults.Add(field.NotSupported(path.Child("spec", "ipFamilies").Index(0), string(families[0]), known))
	}
	return faults.Err()
}

// family returns the address type that the Endpoints show. If the Service has no families, it is
// IPv4 if any slice has it.
func family(svc *corev1.Service, all []*discoveryv1.EndpointSlice) discoveryv1.AddressType {
	switch {
	case len(svc.Spec.IPFamilies) > 0:
		return discoveryv1.AddressType(svc.Spec.IPFamilies[0])
	case slices.ContainsFunc(all, func(s *discoveryv1.EndpointSlice) bool {
		return s.AddressType == discoveryv1.AddressTypeIPv4
	}):
		return discoveryv1.AddressTypeIPv4
	default:
		return discoveryv1.AddressTypeIPv6
	}
}

// view is one call of ToEndpoints. In a position, list is the index of a slice, and index is the
// index of an endpoint in this slice. The position stands for the first address of the endpoint.
type view struct {
	gathering
	addressType discoveryv1.AddressType
	portless    bool // endpoints of slices without ports are shown
}

func endpointPath(at position) *field.Path {
	return source.Path(at.list).Child("endpoints").Index(at.index)
}

// read adds the first addresses of the endpoints of a slice.
func (v *view) read(slice int, s *discoveryv1.EndpointSlice) {
	if s.AddressType != v.addressType {
		if len(s.Endpoints) > 0 {
			v.warn("OtherAddressType", field.NotSupported(source.Path(slice).Child("addressType"),
				string(s.AddressType), []discoveryv1.AddressType{v.addressType}))
		}
		return
	}
	path, n := source.Path(slice).Child("ports"), len(s.Endpoints)
	if len(s.Ports) == 0 && !v.portless {
		if n > 0 {
			v.warn("NoPorts", field.Required(path, "these endpoints serve none of the Service's ports"))
		}
		return
	}
	port := func(i int) endpoint.Port { return endpoint.PortOf(&s.Ports[i]) }
	ports, ok := v.readPorts(len(s.Ports), port, path, n, "Endpoints can show none of these ports")
	if !ok {
		return
	}
	addresses := make([]corev1.EndpointAddress, len(s.Endpoints))
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		addresses[i] = corev1.EndpointAddress{
			NodeName: e.NodeName, TargetRef: e.TargetRef, Hostname: endpoint.Text(e.Hostname),
		}
		if len(e.Addresses) > 0 {
			addresses[i].IP = e.Addresses[0]
		}
		a := endpointAddress{from: &addresses[i], ports: ports, at: position{slice, i}}
		v.readAddress(&a, conditions.Of(e.Conditions))
	}
}

// readAddress adds the first address of an endpoint with this state, or a Notice if Endpoints
// cannot show it.
func (v *view) readAddress(a *endpointAddress, state conditions.State) {
	if !state.Ready {
		a.unready = 1
	}
	var ok bool
	if a.number, ok = parse(a.from.IP); !ok || a.number.Is4In6() != (v.addressType == discoveryv1.AddressTypeIPv4) {
		v.warnOf(a, "InvalidIPAddress", field.Invalid(endpointPath(a.at).Child("addresses"), a.from.IP,
			"the first address is not an "+string(v.addressType)+" address that others can reach"))
	} else if state.Terminating && !state.Ready {
		v.warnOf(a, "Terminating", field.Invalid(endpointPath(a.at).Child("conditions", "terminating"), true,
			"Endpoints do not show what is being deleted"))
	} else {
		v.list = append(v.list, *a)
	}
}
