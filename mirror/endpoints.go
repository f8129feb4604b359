package mirror

//lint:file-ignore SA1019 Endpoints are deprecated, and people still write them.

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/accept"
	"github.com/slicewright/slicewright/internal/endpoint"
	"github.com/slicewright/slicewright/internal/quote"
	"github.com/slicewright/slicewright/slicer"
)

// FromEndpoints returns the slices that Endpoints stand for, as Kubernetes mirrors them: one for
// each address type and list of ports, with targetRefs, node names and hostnames. If the Endpoints
// are not to be mirrored (no Service, a Service with a selector, skip-mirror, leader election),
// nothing is wanted, the reason is in Warnings or Normal, and a plan deletes the mirrors. For zones
// and hints, which Endpoints do not have, change the Groups and Input.Hints.
//
// svc is the Service with the namespace and name of the Endpoints, or nil. If the Endpoints are
// gone, give nil and the Service, or call Remove. An address in several subsets is one endpoint with
// all their ports. If one subset lists it as ready on a port, it is ready. If a list of ports has
// too many addresses, ready addresses are kept before others, and lower IPs before higher ones.
func FromEndpoints(endpoints *corev1.Endpoints, svc *corev1.Service, o Options) (slicer.Input, error) {
	name, err := nameOf(endpoints, svc)
	if err := errors.Join(err, o.validate()); err != nil {
		return slicer.Input{}, err
	}
	in := slicer.Input{Key: o.Key(name)}
	in.Options.MaxEndpointsPerSlice = cmp.Or(o.MaxAddressesPerSubset, maxAddresses)
	in.Options.NoPlaceholder = true
	if why, warns := notMirrored(endpoints, svc); why != nil {
		if warns {
			in.Warnings = slicer.Notices{*why}
		} else {
			in.Normal = slicer.Notices{*why}
		}
		return in, nil
	}
	in.Meta = metaOf(endpoints, svc, o)
	g := gathering{
		path: addressPath, limit: in.Options.MaxEndpointsPerSlice,
		advice: "too many addresses have these ports: list fewer",
	}
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
		g.normal = append(g.normal, a.skip("Duplicate", accept.Duplicate(addressPath(a.at), a.from.IP,
			"is already listed for these ports: list it once, as ready or as not ready")))
	}
	in.Warnings = g.warnings
	in.Normal = g.normal
	addUnserved(&in, endpoints, svc)
	return in, nil
}

// nameOf returns namespace and name of the Endpoints, or of the Service if there are no Endpoints.
// The error lists the mistakes in these names.
func nameOf(endpoints *corev1.Endpoints, svc *corev1.Service) (types.NamespacedName, error) {
	var meta *metav1.ObjectMeta
	var path *field.Path
	switch {
	case endpoints != nil:
		meta, path = &endpoints.ObjectMeta, field.NewPath("endpoints", "metadata")
	case svc != nil:
		meta, path = &svc.ObjectMeta, field.NewPath("service", "metadata")
	default:
		return types.NamespacedName{}, field.Required(field.NewPath("endpoints"),
			"give the Endpoints to mirror, or the Service whose Endpoints are gone")
	}
	var faults accept.Faults
	if meta.Namespace == "" {
		faults.Add(field.Required(path.Child("namespace"), "mirrors are in the same namespace"))
	}
	if meta.Name == "" {
		faults.Add(field.Required(path.Child("name"), "mirrors are found by it"))
	}
	if svc != nil && (svc.Name != meta.Name || svc.Namespace != meta.Namespace) {
		faults.Add(field.Invalid(field.NewPath("service", "metadata", "name"), svc.Namespace+"/"+svc.Name,
			"give the Service of the Endpoints' namespace and name, "+quote.Name(meta.Namespace, meta.Name)+", or nil"))
	}
	return types.NamespacedName{Namespace: meta.Namespace, Name: meta.Name}, faults.Err()
}

// leaderAnnotation marks Endpoints that a leader election uses as a lock.
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader"

// notMirrored returns a Notice if Endpoints are not to be mirrored (KEP-0752), and whether it is a
// Warning. As in Kubernetes, the type of the Service makes no difference. An empty selector counts
// as none, because the API server does not store it.
func notMirrored(endpoints *corev1.Endpoints, svc *corev1.Service) (why *slicer.Notice, warns bool) {
	meta := field.NewPath("endpoints", "metadata")
	if endpoints == nil {
		return notice("NoEndpoints", field.Required(field.NewPath("endpoints"),
			"there are no Endpoints, so there are no mirrors")), false
	}
	_, isLock := endpoints.Annotations[leaderAnnotation]
	switch {
	case endpoints.Labels[discoveryv1.LabelSkipMirror] == "true":
		return notice("SkipMirror", field.Forbidden(meta.Child("labels").Key(discoveryv1.LabelSkipMirror),
			"another program publishes the slices, so there are no mirrors: if that program is yours, plan them with "+
				"services.FromBackends, not from the Endpoints")), false
	case isLock:
		return notice("LeaderElection", field.Forbidden(meta.Child("annotations").Key(leaderAnnotation),
			"the Endpoints are the lock of a leader election, so there are no mirrors: use another object as the "+
				"lock, such as a Lease, if the addresses are to be published")), true
	case svc == nil:
		return notice("NoService", field.Required(field.NewPath("service"),
			"no Service has the name of the Endpoints, so there are no mirrors")), false
	case len(svc.Spec.Selector) > 0:
		return notice("ServiceHasSelector", field.Forbidden(field.NewPath("service", "spec", "selector"),
			"the Service selects Pods, and another controller publishes them, so there are no mirrors")), false
	default:
		return nil, false
	}
}

func notice(reason string, err *field.Error) *slicer.Notice {
	return &slicer.Notice{Reason: reason, Path: err.Field, Err: err}
}

// metaOf returns what all mirrors have in common: owner, labels and annotations.
func metaOf(endpoints *corev1.Endpoints, svc *corev1.Service, o Options) slicer.Meta {
	owner := *metav1.NewControllerRef(endpoints, corev1.SchemeGroupVersion.WithKind("Endpoints"))
	meta := slicer.Meta{
		Labels: without(endpoints.Labels, endpoint.ReservedLabels[:]...),
		Annotations: without(endpoints.Annotations, corev1.EndpointsLastChangeTriggerTime,
			corev1.LastAppliedConfigAnnotation),
		OwnerReferences: []metav1.OwnerReference{owner},
		Terminating:     endpoints.DeletionTimestamp != nil,
	}
	value, headless := endpoints.Labels[corev1.IsHeadlessService]
	if !o.asKubernetes() {
		value, headless = "", svc.Spec.ClusterIP == corev1.ClusterIPNone || svc.Spec.ClusterIP == ""
	}
	if headless {
		meta.Labels = labels.Merge(meta.Labels, labels.Set{corev1.IsHeadlessService: value})
	}
	return meta
}

// without returns a copy of a map without the given keys, or nil if no key is left.
func without(m map[string]string, keys ...string) map[string]string {
	m = maps.Clone(m)
	for _, k := range keys {
		delete(m, k)
	}
	if len(m) == 0 {
		return nil
	}
	return m
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
				g.warnOf(&a, "InvalidIPAddress", accept.IP(addressPath(a.at), a.from.IP))
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
