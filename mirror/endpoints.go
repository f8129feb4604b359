package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// Plan plans the writes that make the existing slices mirror Endpoints. It is FromEndpoints and slicer.Compute: existing are the
// slices of the namespace or only those with the label kubernetes.io/service-name of the Endpoints' name, of every manager, and
// Plan.Skips says what is not mirrored.
func Plan(endpoints *corev1.Endpoints, service *corev1.Service, existing []*discoveryv1.EndpointSlice, o Options) (slicer.Plan, error) {
	in, err := FromEndpoints(endpoints, service, o)
	if err != nil {
		return slicer.Plan{}, err
	}
	return slicer.Compute(in, existing)
}

// FromEndpoints returns the input from which slicer.Compute plans the mirrors of Endpoints: for callers who change it first.
//
// service is the one of the same namespace and name, nil if there is none. If Eligible says no, the Input wants nothing, so
// that its plan deletes our mirrors and no other slice. That is also how mirrors of Endpoints that are gone are deleted: give
// nil Endpoints and their Service. Otherwise:
//
//   - Subsets with equal ports are one subset, and an address in several subsets is one endpoint with all their ports. There
//     is one group for each family and list of ports, and several if one list cannot hold all ports of an address, such as
//     two ports of one name.
//   - A ready address is ready and serving, another address is neither, and no address is terminating. An address that is
//     both ready and not ready on one port is ready.
//   - Hostname, nodeName, targetRef and appProtocol are kept, and IPs get their canonical spelling. A bad IP or port is in
//     Input.Skips, and the rest is taken. Other fields that the API server would refuse are left to slicer.Compute.
//   - Above the limit of Options, ready addresses are taken first, then low ones (as numbers, IPv4 as ::ffff:0:0/96).
//   - Labels and annotations are those of the Endpoints, and one that goes there goes here. The labels managed-by,
//     service-name and headless are set by the Set, and the annotations last-change-trigger-time and
//     last-applied-configuration are not copied.
//   - The Endpoints are the owner, as controller and with blockOwnerDeletion, unless they have no UID, which the API
//     server would refuse. While they are being deleted, nothing is created.
//
// The order of subsets, addresses and ports makes no difference. Nothing is changed. The Input shares memory with the
// Endpoints, and its endpoints share memory with each other, which Compute allows.
//
// The error is made of *field.Errors: no ManagedBy, nothing that names the mirrors, a Service of another name, or a bad option.
// With it the Input is zero.
func FromEndpoints(endpoints *corev1.Endpoints, service *corev1.Service, o Options) (slicer.Input, error) {
	if err := errors.Join(checkNames(endpoints, service), o.validate()); err != nil {
		return slicer.Input{}, err
	}
	in := slicer.Input{Set: nameSet(endpoints, service, o)}
	in.Options.MaxEndpointsPerSlice = o.limit()
	in.Options.NoPlaceholder = true
	in.Options.ExplicitConditions = !o.asKubernetes()
	in.Options.RemoveForeignAnnotations = true
	if ok, _ := Eligible(endpoints, service); !ok {
		return in, nil
	}
	dress(&in.Set, endpoints, service, o)
	m := mirroring{endpoints: endpoints, options: o, gathering: gathering{apart: o.asKubernetes()}}
	for i := range endpoints.Subsets {
		m.read(i)
	}
	m.gather()
	if !m.apart {
		m.limit()
	}
	in.Groups = m.groups()
	for _, a := range m.repeated {
		m.skip(Duplicate, a)
	}
	in.Skips = m.skips
	return in, nil
}

// mirroring is one call of FromEndpoints. The ready addresses of subset n are in list 2n, and the others in list 2n+1.
type mirroring struct {
	gathering
	endpoints *corev1.Endpoints
	options   Options
	skips     skips
}

// read takes the addresses of a subset.
func (m *mirroring) read(subset int) {
	s := &m.endpoints.Subsets[subset]
	ports, ok := m.readPorts(subset)
	if !ok {
		return
	}
	m.list = slices.Grow(m.list, len(s.Addresses)+len(s.NotReadyAddresses))
	taken := 0
	for list, addresses := range [][]corev1.EndpointAddress{s.Addresses, s.NotReadyAddresses} {
		for i := range addresses {
			a := endpointAddress{from: &addresses[i], ports: ports, ready: list == 0, at: position{2*subset + list, i}}
			if a.number, ok = parse(a.from.IP); !ok {
				m.skip(slicer.InvalidAddress, &a)
			} else if m.apart && taken == m.options.limit() {
				m.skip(OverLimit, &a)
			} else {
				m.list = append(m.list, a)
				taken++
			}
		}
	}
}

// readPorts is false when there are ports and all of them are bad, so that the addresses serve nothing.
func (m *mirroring) readPorts(subset int) (list int32, ok bool) {
	s, path := &m.endpoints.Subsets[subset], field.NewPath("subsets").Index(subset).Child("ports")
	ports := make([]endpoint.Port, 0, len(s.Ports))
	for i := range s.Ports {
		p := portOf(&s.Ports[i])
		if err := refusePort(p, path.Index(i)); err != nil {
			m.skips.port(p, err)
			continue
		}
		ports = append(ports, p)
	}
	if len(ports) == 0 && len(s.Ports) > 0 {
		if len(s.Addresses)+len(s.NotReadyAddresses) > 0 {
			m.skips.add(InvalidPort, field.Invalid(path, len(s.Ports), "none of these ports can be published: correct them, or declare none"))
		}
		return 0, false
	}
	return m.ports.number(ports), true
}

// limit takes off what is above the limit of a list of ports, both families together: not ready addresses first, then high ones.
func (m *mirroring) limit() {
	quotas := m.quotas()
	for i := range quotas {
		q := &quotas[i]
		q.ready = min(q.ready, m.options.limit())
		q.notReady = min(q.notReady, m.options.limit()-q.ready)
	}
	m.cut(quotas, func(e portEntry) {
		over := *e.address
		over.ports = e.ports
		m.skip(OverLimit, &over)
	})
}

// skip leaves an address out and says why.
func (m *mirroring) skip(reason slicer.SkipReason, a *endpointAddress) {
	name := [2]string{"addresses", "notReadyAddresses"}[a.at.list%2]
	path, ip := field.NewPath("subsets").Index(a.at.list/2).Child(name).Index(a.at.index).Child("ip"), a.from.IP
	var err *field.Error
	switch reason {
	case slicer.InvalidAddress:
		err = accept.IP(path, ip)
	case Duplicate:
		err = accept.Duplicate(path, ip, "is listed before for these ports: list it once, as ready or as not ready")
	case OverLimit:
		err = field.TooMany(path, m.options.limit()+1, m.options.limit())
		err.BadValue, err.Detail = ip, "too many addresses have these ports: list fewer"
	}
	m.skips.address(reason, a.from, m.ports.lists[a.ports], err)
}
