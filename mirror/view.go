package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still read them.

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/mirror/internal/source"
	"github.com/slicewright/slicewright/slicer"
)

// overCapacity is the value of the annotation endpoints.kubernetes.io/over-capacity on Endpoints
// that were cut.
const overCapacity = "truncated"

// ToEndpoints returns Endpoints with the content of slices, as the Endpoints controller would write
// them. The Endpoints are in canonical form: an address is in one subset with exactly the ports on
// which it is ready, and in another one with the ports on which it is not. Subsets are sorted by
// ports, and addresses as numbers, then by hostname and targetRef. No subset has two ports with one
// name. If an address has several ports with one name, the first port of each name is in one
// subset, the second port of each name in another one, and so on. Each port without a name has a
// subset of its own, because Endpoints cannot list it beside others.
//
//   - all are the slices of one Service, of any manager, in any order. If they are nil or empty,
//     the Endpoints have no subsets, and no name unless ViewOptions.Service gives it. An address
//     that is in several slices is shown once. It is ready on a port if any of the slices says so.
//   - Only one family is shown (ViewOptions.AddressType), and only the first address of an
//     endpoint, because readers use no other.
//   - An endpoint that serves none of the Service's ports is left out (ViewOptions.Service).
//   - An endpoint whose condition ready is true or nil is ready. An endpoint that is terminating is
//     left out, unless it is ready. It can be ready because of publishNotReadyAddresses.
//   - If there are too many addresses, ready addresses are kept before others. Each subset keeps a
//     share in proportion to its size, rounded up to whole addresses, and the annotation
//     endpoints.kubernetes.io/over-capacity is set.
//   - Namespace and name are those of the Service that the slices belong to. A label or annotation
//     is copied if all slices have it with the same value. The labels service-name and managed-by,
//     the trigger time and the annotation over-capacity are not copied. ToEndpoints sets
//     over-capacity itself.
//
// The slices are not changed, and the Endpoints share no memory with them. The Skips list the
// endpoints that are not shown, in the order of the slices, and then those above the limit. The
// list is nil if all endpoints are shown. There is no Skip for addresses of an endpoint after its
// first one, and none for repeated addresses.
//
// Errors are made of *field.Errors: a nil slice, slices of different namespaces or Services, a
// Service that is not the slices' own, or an invalid option. With an error, the other results are
// nil.
func ToEndpoints(all []*discoveryv1.EndpointSlice, o ViewOptions) (*corev1.Endpoints, []slicer.Skip, error) {
	if err := checkView(all, o); err != nil {
		return nil, nil, err
	}
	v := view{addressType: family(all, o), portless: showsPortless(all, o.Service), gathering: gathering{
		ports: portLists{forEndpoints: true}, path: endpointPath, limit: cmp.Or(o.MaxAddresses, maxAddresses),
		advice: "too many addresses: readers should turn to the slices, which hold them all",
	}}
	for i, s := range all {
		v.read(i, s)
	}
	v.gather()
	endpoints := &corev1.Endpoints{ObjectMeta: commonMeta(all)}
	if s := o.Service; s != nil {
		endpoints.Namespace, endpoints.Name = s.Namespace, s.Name
	}
	if quotas, cut := v.share(); cut {
		v.cut(quotas)
		metav1.SetMetaDataAnnotation(&endpoints.ObjectMeta, corev1.EndpointsOverCapacity, overCapacity)
	}
	if !o.TriggerTime.IsZero() {
		trigger := o.TriggerTime.UTC().Format(time.RFC3339Nano)
		metav1.SetMetaDataAnnotation(&endpoints.ObjectMeta, corev1.EndpointsLastChangeTriggerTime, trigger)
	}
	if o.SkipMirror {
		metav1.SetMetaDataLabel(&endpoints.ObjectMeta, discoveryv1.LabelSkipMirror, "true")
	}
	endpoints.Subsets = v.subsets()
	return endpoints, v.skips, nil
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
			skip := slicer.Skip{Reason: OtherAddressType}
			if slices.Contains(endpoint.Families[:], s.AddressType) {
				skip.Severity = slicer.Routine // Endpoints of a dual-stack Service show one family
			}
			v.skips.add(skip, field.NotSupported(source.Path(slice).Child("addressType"), string(s.AddressType),
				[]discoveryv1.AddressType{v.addressType}))
		}
		return
	}
	path, n := source.Path(slice).Child("ports"), len(s.Endpoints)
	if len(s.Ports) == 0 && !v.portless {
		if n > 0 {
			v.skips.add(slicer.Skip{Reason: NoPorts},
				field.Required(path, "these endpoints serve none of the Service's ports"))
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
		addresses[i] = corev1.EndpointAddress{NodeName: e.NodeName, TargetRef: e.TargetRef,
			Hostname: endpoint.Text(e.Hostname)}
		if len(e.Addresses) > 0 {
			addresses[i].IP = e.Addresses[0]
		}
		a := endpointAddress{from: &addresses[i], ports: ports, at: position{slice, i}}
		v.readAddress(&a, conditions.Of(e.Conditions))
	}
}

// readAddress adds the first address of an endpoint with this state, or a Skip if Endpoints cannot
// show it.
func (v *view) readAddress(a *endpointAddress, state conditions.State) {
	if !state.Ready {
		a.unready = 1
	}
	var ok bool
	if a.number, ok = parse(a.from.IP); !ok || a.number.Is4In6() != (v.addressType == discoveryv1.AddressTypeIPv4) {
		v.skip(slicer.InvalidAddress, a, field.Invalid(endpointPath(a.at).Child("addresses"), a.from.IP,
			"the first address is no "+string(v.addressType)+" address that others can reach"))
	} else if state.Terminating && !state.Ready {
		v.skip(Terminating, a, field.Invalid(endpointPath(a.at).Child("conditions", "terminating"), true,
			"Endpoints do not show what is being deleted"))
	} else {
		v.list = append(v.list, *a)
	}
}
