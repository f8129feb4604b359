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

// Plan returns the writes that make the existing slices mirror Endpoints. It calls [FromEndpoints]
// and slicer.Compute. existing are all slices of the namespace, of any manager. The slices whose
// label kubernetes.io/service-name is the name of the Endpoints suffice. Plan.Skips lists what is
// not mirrored. The Skip for the label endpointslice.kubernetes.io/skip-mirror is a warning if this
// plan removes mirrors because of the label, and routine otherwise.
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

// FromEndpoints returns the Input of [Plan], for callers that change it before they call
// slicer.Compute.
//
// service is the Service with the same namespace and name, or nil if there is none. If the
// Endpoints are not [Eligible], nothing is wanted, so the plan deletes the mirrors of this
// ManagedBy and no other slice. If the reason is the label endpointslice.kubernetes.io/skip-mirror,
// there is a Skip. To delete the mirrors of Endpoints that are gone, pass nil Endpoints and the
// Service of that name. Otherwise:
//
//   - Subsets with equal ports are one subset. An address in several subsets is one endpoint with
//     all their ports. There is one group for each family and list of ports. If one slice cannot
//     hold all ports of an address, for example two ports with one name, there are several groups.
//   - A ready address is ready and serving. An address that is not ready is neither. No address is
//     terminating. If an address is listed both as ready and as not ready on one port, it is ready.
//   - Hostname, nodeName, targetRef and appProtocol are kept. IPs get their canonical spelling. An
//     invalid IP or port gets a Skip, and the rest is used. If the API server would refuse another
//     field, slicer.Compute skips the endpoint.
//   - A port of the Endpoints is published even if no port of the Service has its name and
//     protocol. A Skip (NoServicePort) then warns that no client of the Service reaches it. Most
//     often, the port has a name in the Endpoints and none in the Service.
//   - If there are more addresses than the limit of Options, ready addresses are kept before
//     others, and lower ones before higher ones. They are compared as numbers, with IPv4 as
//     ::ffff:0:0/96.
//   - Labels and annotations are those of the Endpoints. A label or annotation that is removed from
//     the Endpoints is removed from the mirrors. The Set gives the labels managed-by, service-name
//     and headless. The annotations last-change-trigger-time and last-applied-configuration are not
//     copied.
//   - The Endpoints are the owner, as controller and with blockOwnerDeletion. The API server
//     refuses an owner without a UID. If the Endpoints have none, Compute adds a Skip
//     (slicer.OwnerWithoutUID) and plans mirrors without an owner. While the Endpoints are being
//     deleted, nothing is created.
//
// The order of subsets, addresses and ports makes no difference. The arguments are not changed. The
// Input shares memory with the Endpoints, and its endpoints share memory with each other, which
// Compute allows.
//
// Errors are made of *field.Errors: no ManagedBy, neither Endpoints nor a Service, a Service with
// another name, or an invalid option. With an error the Input is zero.
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
			"is already listed for these ports: list it once, as ready or as not ready"))
	}
	in.Skips = g.skips
	addUnserved(&in, endpoints, service)
	return in, nil
}

// skipMirrorSkip returns the Skip for Endpoints with the label skip-mirror. Their mirrors are
// removed. A caller that writes both Endpoints and slices may have set the label itself and called
// Plan by mistake. The Skip is routine here, because the label is usually intended. Plan changes it
// to a warning if the plan removes mirrors.
func skipMirrorSkip() slicer.Skip {
	err := field.Forbidden(field.NewPath("endpoints", "metadata", "labels").Key(discoveryv1.LabelSkipMirror),
		"another program publishes the slices, so mirrors are removed: if that program is yours, plan "+
			"them with services.PlanBackends, not from the Endpoints")
	return slicer.Skip{Reason: slicer.SkipReason(SkipMirror), Path: err.Field, Err: err, Severity: slicer.Routine}
}

// addressPath returns the path of an address in Endpoints. List 2n has the ready addresses of
// subset n, and list 2n+1 has the others.
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
	for unready, addresses := range [][]corev1.EndpointAddress{s.Addresses, s.NotReadyAddresses} {
		for i := range addresses {
			at := position{2*subset + unready, i}
			a := endpointAddress{from: &addresses[i], ports: ports, unready: unready, at: at}
			if a.number, ok = parse(a.from.IP); !ok {
				g.skip(slicer.InvalidAddress, &a, accept.IP(addressPath(a.at), a.from.IP))
			} else {
				g.list = append(g.list, a)
			}
		}
	}
}

// cutToLimit skips the addresses above the limit of each list of ports, IPv4 and IPv6 together:
// first addresses that are not ready, then the addresses with the highest numbers.
func (g *gathering) cutToLimit() {
	quotas := g.counts()
	for i := range quotas {
		q := &quotas[i]
		q[0] = min(q[0], g.limit)
		q[1] = min(q[1], g.limit-q[0])
	}
	g.cut(quotas)
}
