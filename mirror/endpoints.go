package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// FromEndpoints returns the input from which slicer.Compute plans the mirrors of Endpoints.
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
//   - Hostname, nodeName, targetRef and appProtocol are kept, and IPs get their canonical spelling. A bad IP or port is
//     skipped and reported, and the rest is taken. Other fields that the API server would refuse are left to Plan.Skips.
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
// The error is made of *field.Errors: nothing that names the mirrors, a Service of another name, or a bad option. With
// it the Input and the Report are zero.
func FromEndpoints(endpoints *corev1.Endpoints, service *corev1.Service, o Options) (slicer.Input, Report, error) {
	if err := errors.Join(checkNames(endpoints, service), o.validate()); err != nil {
		return slicer.Input{}, Report{}, err
	}
	in := slicer.Input{Set: nameSet(endpoints, service, o)}
	in.Options.MaxEndpointsPerSlice = o.limit()
	in.Options.NoPlaceholder = true
	in.Options.ExplicitConditions = !o.asKubernetes()
	in.Options.RemoveForeignAnnotations = true
	if ok, _ := Eligible(endpoints, service); !ok {
		return in, Report{}, nil
	}
	dress(&in.Set, endpoints, service, o)
	m := mirroring{mentions: newMentions(countAddresses(endpoints)), endpoints: endpoints, options: o}
	m.mentions.apart = o.asKubernetes()
	for i := range endpoints.Subsets {
		m.read(i)
	}
	m.mentions.gather()
	in.Groups = m.groups()
	report := m.report(in.Groups)
	m.mentions.release()
	return in, report, nil
}

func countAddresses(endpoints *corev1.Endpoints) int {
	n := 0
	for i := range endpoints.Subsets {
		n += len(endpoints.Subsets[i].Addresses) + len(endpoints.Subsets[i].NotReadyAddresses)
	}
	return n
}

// mirroring is one call of FromEndpoints. Its mentions have two lists of addresses for each subset: ready ones and others.
type mirroring struct {
	mentions  *mentions
	endpoints *corev1.Endpoints
	options   Options
	skipped   []placedSkip
}

func subsetPath(i int) *field.Path { return field.NewPath("subsets").Index(i) }

// read makes mentions of a subset's addresses.
func (m *mirroring) read(subset int) {
	s := &m.endpoints.Subsets[subset]
	m.mentions.addresses = append(m.mentions.addresses, s.Addresses, s.NotReadyAddresses)
	first := place{int32(2 * subset), -1}
	ports, ok := m.readPorts(subset, first)
	if !ok {
		m.skip(first, Skip{Reason: InvalidPort, Count: len(s.Addresses) + len(s.NotReadyAddresses), Err: field.Invalid(
			subsetPath(subset).Child("ports"), len(s.Ports), "none of these ports can be published: correct them, or declare none")})
		return
	}
	taken := 0
	for list, addresses := range m.mentions.addresses[first.list:] {
		for i := range addresses {
			it := mention{ports: ports, at: place{first.list + int32(list), int32(i)}, ready: list == 0}
			switch {
			case !it.parse(addresses[i].IP):
				m.skip(it.at, Skip{Reason: InvalidAddress, Count: 1})
			case m.mentions.apart && taken == m.options.limit():
				m.skip(it.at, Skip{Reason: OverLimit, Count: 1})
			default:
				m.mentions.add(it)
				taken++
			}
		}
	}
}

// readPorts is false when there are ports and all of them are bad, so that the addresses serve nothing.
func (m *mirroring) readPorts(subset int, at place) (list int32, ok bool) {
	in := m.endpoints.Subsets[subset].Ports
	ports := make([]endpoint.Port, 0, len(in))
	for i := range in {
		p := portOf(&in[i])
		if err := refusePort(p, subsetPath(subset).Child("ports").Index(i)); err != nil {
			m.skip(at, Skip{Reason: InvalidPort, Count: 1, Err: err})
			continue
		}
		ports = append(ports, p)
	}
	if len(ports) == 0 && len(in) > 0 {
		return 0, false
	}
	return m.mentions.ports.number(canonical(ports)), true
}
