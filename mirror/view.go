package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/internal/endpoint"
)

// overCapacity is the value of the annotation endpoints.kubernetes.io/over-capacity on Endpoints that were cut.
const overCapacity = "truncated"

// ToEndpoints returns Endpoints that show what slices hold, as the Endpoints controller would write them, in canonical form:
// one subset lists an address with exactly the ports on which it is ready, and one with the ports on which it is not.
// Subsets are sorted by ports, and addresses as numbers, then by hostname and targetRef. Ports that Endpoints cannot list
// together get subsets of their own: a port without name, and every further port of one name.
//
//   - slices are those of one Service, of any manager, in any order. nil and empty: the Endpoints have no subsets, and no
//     name unless ViewOptions.Service has one. An address that several slices hold is shown once, and is ready on a port if
//     any of the slices says so.
//   - Only one address family is shown (ViewOptions.AddressType), and only the first address of an endpoint, because
//     readers use no other.
//   - An endpoint that serves none of the Service's ports is left out (ViewOptions.Service).
//   - Ready endpoints are ready (nil counts as ready), and others are not. An endpoint that is being deleted is left out,
//     unless it is ready, as with publishNotReadyAddresses.
//   - If there are too many addresses, ready ones are shown first. Where addresses are left out each subset keeps its
//     share, rounded up, and the annotation endpoints.kubernetes.io/over-capacity is set.
//   - Name and namespace are those of the slices. Labels and annotations are those on which all slices agree, except for
//     those about slices: the labels service-name and managed-by, the trigger time, and over-capacity.
//
// The Endpoints share no memory with the slices, and nothing is changed. The Report lists the endpoints that are not shown,
// but neither further addresses of an endpoint nor repeated ones.
//
// The error is made of *field.Errors: a nil slice, slices of different namespaces or Services, a Service that is not
// theirs, or a bad option. With it the Endpoints are nil.
func ToEndpoints(slices []*discoveryv1.EndpointSlice, o ViewOptions) (*corev1.Endpoints, Report, error) {
	if err := errors.Join(checkSlices(slices), checkViewed(slices, o.Service), o.validate()); err != nil {
		return nil, Report{}, err
	}
	v := newView(slices, o)
	for i := range slices {
		v.read(i)
	}
	v.mentions.gather()
	endpoints := &corev1.Endpoints{ObjectMeta: commonMeta(slices)}
	if s := o.Service; s != nil {
		endpoints.Namespace, endpoints.Name = s.Namespace, s.Name
	}
	quotas, cut := v.share()
	if cut {
		v.mentions.cut(quotas, v.skipExcess)
		put(&endpoints.Annotations, corev1.EndpointsOverCapacity, overCapacity)
	}
	if !o.TriggerTime.IsZero() {
		put(&endpoints.Annotations, corev1.EndpointsLastChangeTriggerTime, o.TriggerTime.UTC().Format(time.RFC3339Nano))
	}
	if o.SkipMirror {
		put(&endpoints.Labels, discoveryv1.LabelSkipMirror, "true")
	}
	endpoints.Subsets = v.subsets()
	report := v.report()
	v.mentions.release()
	return endpoints, report, nil
}

func checkSlices(slices []*discoveryv1.EndpointSlice) error {
	path := field.NewPath("slices")
	var errs []error
	var first *discoveryv1.EndpointSlice
	for i, s := range slices {
		switch {
		case s == nil:
			errs = append(errs, field.Required(path.Index(i), "is nil: leave it out"))
			continue
		case first == nil:
			first = s
		}
		if s.Namespace != first.Namespace {
			errs = append(errs, field.Invalid(path.Index(i).Child("metadata", "namespace"), s.Namespace,
				"give the slices of one Service: others are in "+first.Namespace))
		}
		if a, b := s.Labels[discoveryv1.LabelServiceName], first.Labels[discoveryv1.LabelServiceName]; a != b {
			errs = append(errs, field.Invalid(path.Index(i).Child("metadata", "labels").Key(discoveryv1.LabelServiceName), a,
				"give the slices of one Service: others are of "+b))
		}
	}
	return errors.Join(errs...)
}

// view is one call of ToEndpoints. Its mentions have a list of addresses for each slice, the first ones of its endpoints.
type view struct {
	slices      []*discoveryv1.EndpointSlice
	options     ViewOptions
	addressType discoveryv1.AddressType
	portless    bool // endpoints of slices without ports are shown
	mentions    *mentions
	addresses   []corev1.EndpointAddress // room for those of slices ahead
	skipped     []placedSkip
}

func newView(all []*discoveryv1.EndpointSlice, o ViewOptions) *view {
	v := &view{slices: all, options: o, addressType: family(all, o), portless: showsPortless(all, o.Service)}
	room := 0
	for _, s := range all {
		if s.AddressType == v.addressType {
			room += len(s.Endpoints)
		}
	}
	v.mentions, v.addresses = newMentions(room), make([]corev1.EndpointAddress, room)
	return v
}

func (v *view) skip(at place, reason SkipReason, count int, err *field.Error) {
	v.skipped = append(v.skipped, placedSkip{Skip{Reason: reason, Count: count, Err: err}, at})
}

// report brings the skips into the order of the input.
func (v *view) report() Report {
	r := Report{Taken: len(v.mentions.listings)}
	for _, s := range inOrder(v.skipped) {
		r.Skipped = append(r.Skipped, s.Skip)
	}
	return r
}

func slicePath(i int) *field.Path { return field.NewPath("slices").Index(i) }

func endpointPath(at place) *field.Path {
	return slicePath(int(at.list)).Child("endpoints").Index(int(at.index))
}

func (v *view) read(slice int) {
	s := v.slices[slice]
	n := len(s.Endpoints)
	if s.AddressType != v.addressType {
		v.mentions.addresses = append(v.mentions.addresses, nil)
		if n > 0 {
			v.skip(place{int32(slice), -1}, OtherAddressType, n, field.NotSupported(slicePath(slice).Child("addressType"),
				s.AddressType, []discoveryv1.AddressType{v.addressType}))
		}
		return
	}
	v.mentions.addresses = append(v.mentions.addresses, v.addresses[:n])
	v.addresses = v.addresses[n:]
	ports, ok := v.readPorts(slice)
	if !ok {
		return
	}
	for i := range s.Endpoints {
		it := mention{ports: ports, at: place{int32(slice), int32(i)}}
		if reason, err := v.readEndpoint(&s.Endpoints[i], &it); err != nil {
			v.skip(it.at, reason, 1, err)
			continue
		}
		v.mentions.add(it)
	}
}

func (v *view) readEndpoint(e *discoveryv1.Endpoint, it *mention) (SkipReason, *field.Error) {
	state := conditions.Of(e.Conditions)
	if state.Terminating && !state.Ready {
		return Terminating, field.Invalid(endpointPath(it.at).Child("conditions", "terminating"), true,
			"Endpoints do not show what is being deleted")
	}
	a := v.mentions.address(it)
	a.NodeName, a.TargetRef, a.Hostname = e.NodeName, e.TargetRef, endpoint.Text(e.Hostname)
	if len(e.Addresses) > 0 {
		a.IP = e.Addresses[0]
	}
	it.ready = state.Ready
	if !it.parse(a.IP) || it.addressType() != v.addressType {
		return InvalidAddress, field.Invalid(endpointPath(it.at).Child("addresses"), a.IP,
			"the first address is no "+string(v.addressType)+" address that others can reach")
	}
	return 0, nil
}

// readPorts is false when Endpoints show nothing of a slice with these ports.
func (v *view) readPorts(slice int) (list int32, ok bool) {
	s := v.slices[slice]
	path, at := slicePath(slice).Child("ports"), place{int32(slice), -1}
	if len(s.Ports) == 0 && !v.portless {
		if len(s.Endpoints) > 0 {
			v.skip(at, NoPorts, len(s.Endpoints), field.Required(path, "these endpoints serve none of the Service's ports"))
		}
		return 0, false
	}
	ports := make([]endpoint.Port, 0, len(s.Ports))
	reason := InvalidPort // for the endpoints, when no port is left
	for i := range s.Ports {
		p := endpoint.PortOf(&s.Ports[i])
		err := refusePort(p, path.Index(i))
		switch {
		case err != nil:
			v.skip(at, InvalidPort, 1, err)
		case p.Number == endpoint.AnyPort:
			reason = AllPorts
			v.skip(at, AllPorts, 1, field.Required(path.Index(i).Child("port"), "Endpoints cannot say all ports: give a number"))
		default:
			ports = append(ports, p)
		}
	}
	if len(ports) == 0 && len(s.Ports) > 0 {
		if len(s.Endpoints) > 0 {
			v.skip(at, reason, len(s.Endpoints), field.Invalid(path, len(s.Ports), "Endpoints can show none of these ports"))
		}
		return 0, false
	}
	return v.mentions.ports.number(canonical(ports)), true
}

func (v *view) skipExcess(l listing) {
	it := &v.mentions.list[l.mention]
	err := field.TooMany(endpointPath(it.at), v.options.limit()+1, v.options.limit())
	err.BadValue = v.mentions.address(it).IP
	err.Detail = "too many addresses: readers should turn to the slices, which hold them all"
	v.skip(it.at, OverLimit, 1, err)
}
