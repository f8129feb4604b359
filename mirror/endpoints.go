package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/slicer"
)

// Plan plans the writes that make the existing slices mirror Endpoints. It is FromEndpoints and
// slicer.Compute: existing are the slices of the namespace or only those with the label
// kubernetes.io/service-name of the Endpoints' name, of every manager, and Plan.Skips says what is
// not mirrored. The Skip for the label endpointslice.kubernetes.io/skip-mirror is a warning if this
// plan removes mirrors because of it, and routine otherwise.
func Plan(endpoints *corev1.Endpoints, service *corev1.Service, existing []*discoveryv1.EndpointSlice,
	o Options) (slicer.Plan, error) {
	in, err := FromEndpoints(endpoints, service, o)
	if err != nil {
		return slicer.Plan{}, err
	}
	plan, err := computed(in, existing, "endpoints.metadata.uid")
	for i := range plan.Skips {
		if s := &plan.Skips[i]; s.Reason == slicer.SkipReason(SkipMirror) {
			if s.Severity = slicer.Warning; plan.Empty() {
				s.Severity = slicer.Routine
			}
		}
	}
	return plan, err
}

// FromEndpoints returns the input from which slicer.Compute plans the mirrors of Endpoints: for
// callers who change it first.
//
// service is the one of the same namespace and name, nil if there is none. If Eligible says no, the
// Input wants nothing, so that its plan deletes our mirrors and no other slice; where the label
// endpointslice.kubernetes.io/skip-mirror is the reason, a Skip says so. That is also how mirrors
// of Endpoints that are gone are deleted: give nil Endpoints and their Service. Otherwise:
//
//   - Subsets with equal ports are one subset, and an address in several subsets is one endpoint
//     with all their ports. There is one group for each family and list of ports, and several if
//     one list cannot hold all ports of an address, such as two ports of one name.
//   - A ready address is ready and serving, another address is neither, and no address is
//     terminating. An address that is both ready and not ready on one port is ready.
//   - Hostname, nodeName, targetRef and appProtocol are kept, and IPs get their canonical spelling.
//     A bad IP or port is in Input.Skips, and the rest is taken. Other fields that the API server
//     would refuse are left to slicer.Compute.
//   - A port that the Service does not have, by name and protocol, is published and a Skip
//     (NoServicePort), because no client of the Service reaches it. Most often, it has a name in
//     the Endpoints and none in the Service. If the Service has no ports, there is no such Skip.
//   - Above the limit of Options, ready addresses are taken first, then low ones (as numbers, IPv4
//     as ::ffff:0:0/96).
//   - Labels and annotations are those of the Endpoints, and one that goes there goes here. The
//     labels managed-by, service-name and headless are set by the Set, and the annotations
//     last-change-trigger-time and last-applied-configuration are not copied.
//   - The Endpoints are the owner, as controller and with blockOwnerDeletion. The API server
//     refuses an owner without UID, so of such Endpoints Compute makes a Skip
//     (slicer.OwnerWithoutUID) and mirrors without owner. While they are being deleted, nothing is
//     created.
//
// The order of subsets, addresses and ports makes no difference. Nothing is changed. The Input
// shares memory with the Endpoints, and its endpoints share memory with each other, which Compute
// allows.
//
// The error is made of *field.Errors: no ManagedBy, nothing that names the mirrors, a Service of
// another name, or a bad option. With it the Input is zero.
func FromEndpoints(endpoints *corev1.Endpoints, service *corev1.Service, o Options) (slicer.Input, error) {
	set, err := nameSet(endpoints, service, o)
	if err := errors.Join(err, o.validate()); err != nil {
		return slicer.Input{}, err
	}
	in := slicer.Input{Set: set}
	in.Options.MaxEndpointsPerSlice = cmp.Or(o.MaxAddressesPerSubset, maxAddresses)
	in.Options.NoPlaceholder = true
	in.Options.ExplicitConditions = !o.asKubernetes()
	in.Options.RemoveForeignAnnotations = true
	if ok, reason := Eligible(endpoints, service); !ok {
		if reason == SkipMirror {
			in.Skips = []slicer.Skip{skipMirrorSkip()}
		}
		return in, nil
	}
	dress(&in.Set, endpoints, service, o)
	g := gathering{path: addressPath, limit: in.Options.MaxEndpointsPerSlice,
		advice: "too many addresses have these ports: list fewer"}
	for i := range endpoints.Subsets {
		g.read(i, &endpoints.Subsets[i])
	}
	if o.asKubernetes() {
		g.repack()
	} else {
		g.gather()
	}
	g.cutToLimit()
	in.Groups = g.groups(o.asKubernetes())
	for _, a := range g.repeated {
		g.skip(Duplicate, a, accept.Duplicate(addressPath(a.at), a.from.IP,
			"is listed before for these ports: list it once, as ready or as not ready"))
	}
	in.Skips = g.skips
	addUnserved(&in, endpoints, service)
	return in, nil
}

// skipMirrorSkip says that a label takes the mirrors away, because whoever writes Endpoints and
// slices sets it and may call Plan. It is routine, because somebody wants it so for as long as the
// label is there.
func skipMirrorSkip() slicer.Skip {
	err := field.Forbidden(field.NewPath("endpoints", "metadata", "labels").Key(discoveryv1.LabelSkipMirror),
		"somebody else makes the slices, so that mirrors are removed: if that is you, plan them with "+
			"services.PlanBackends, not from the Endpoints")
	return slicer.Skip{Reason: slicer.SkipReason(SkipMirror), Path: err.Field, Err: err, Severity: slicer.Routine}
}

// addressPath is the path of an address of Endpoints: the ready ones of subset n are in list 2n,
// and the others in list 2n+1.
func addressPath(at position) *field.Path {
	name := [2]string{"addresses", "notReadyAddresses"}[at.list%2]
	return field.NewPath("subsets").Index(at.list / 2).Child(name).Index(at.index).Child("ip")
}

// read adds the addresses of a subset.
func (g *gathering) read(subset int, s *corev1.EndpointSubset) {
	port := func(i int) endpoint.Port { return portOf(&s.Ports[i]) }
	path, n := field.NewPath("subsets").Index(subset).Child("ports"), len(s.Addresses)+len(s.NotReadyAddresses)
	advice := "none of these ports can be published: correct them, or declare none"
	ports, ok := g.readPorts(len(s.Ports), port, path, n, advice)
	if !ok {
		return
	}
	g.list = slices.Grow(g.list, n)
	for list, addresses := range [][]corev1.EndpointAddress{s.Addresses, s.NotReadyAddresses} {
		for i := range addresses {
			a := endpointAddress{from: &addresses[i], ports: ports, unready: list, at: position{2*subset + list, i}}
			if a.number, ok = parse(a.from.IP); !ok {
				g.skip(slicer.InvalidAddress, &a, accept.IP(addressPath(a.at), a.from.IP))
			} else {
				g.list = append(g.list, a)
			}
		}
	}
}

// cutToLimit skips the addresses above the limit of each list of ports, IPv4 and IPv6 together:
// first those that are not ready, then those with high numbers.
func (g *gathering) cutToLimit() {
	quotas := g.quotas()
	for i := range quotas {
		q := &quotas[i]
		q[0] = min(q[0], g.limit)
		q[1] = min(q[1], g.limit-q[0])
	}
	g.cut(quotas)
}
